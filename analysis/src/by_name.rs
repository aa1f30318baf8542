//! What reflection may do where it says what it means: whom it calls, what it makes.

use crate::facts::{Node, OpId};
use crate::models::Reflection;
use crate::packed::{Body, Call, Op};
use crate::types;
use crate::world::{MethodId, NameId, SelectorId, World};
use racewire_classfile::access::PRIVATE;
use rustc_hash::FxHashSet;

/// What reflection may do where not everything is possible.
#[derive(Debug, Default)]
pub struct ByName {
    /// Objects may be made by constructors without parameters.
    pub makes_plain: bool,
    /// Any class may be initialised.
    pub initialises: bool,
    /// Methods of these names may be called.
    pub called: FxHashSet<NameId>,
    /// Methods may be found that nobody has named: as such, and as handles.
    pub finds_any: [bool; 2],
    /// Who calls methods, and handles, that were found somewhere else: the method, and what it calls.
    pub callers: [Vec<(MethodId, String)>; 2],
    /// Objects may be made by constructors that were found.
    pub makes_found: bool,
    /// Constructors may be found of which nobody says the types of their parameters.
    pub finds_any_constructor: bool,
    /// Constructors with parameters of these types may be found: of some or all of one of these lists, in any order.
    pub types: FxHashSet<Vec<NameId>>,
}

impl ByName {
    /// Whether objects may be made by a constructor with that descriptor.
    pub fn makes_by(&self, world: &World, descriptor: &str) -> bool {
        self.makes_plain && descriptor == "()V" || self.makes_found && self.has_types(world, descriptor)
    }

    /// Whether constructors with that descriptor are among those that are looked for.
    pub fn has_types(&self, world: &World, descriptor: &str) -> bool {
        let (parameters, _) = types::parameters(descriptor);
        let is_among = |list: &Vec<NameId>| {
            let mut parameters = parameters.iter();
            parameters.all(|p| list.iter().any(|ty| world.name(*ty) == *p))
        };
        self.types.iter().any(is_among)
    }

    /// What was found by a method with that descriptor may be any.
    pub fn finds_any_of(&mut self, descriptor: &str) {
        self.finds_any[METHOD] |= !descriptor.ends_with(")Ljava/lang/invoke/MethodHandle;");
        self.finds_any[HANDLE] |= !descriptor.ends_with("Ljava/lang/reflect/Method;");
    }
}

const METHOD: usize = 0;
const HANDLE: usize = 1;

/// What a method of that class calls when it calls what was found, and which argument that is.
pub fn found_argument(owner: &str) -> (usize, usize) {
    match owner {
        // `unreflect` makes a handle of a method.
        "java/lang/invoke/MethodHandles$Lookup" => (METHOD, 1),
        "java/lang/reflect/Method" => (METHOD, 0),
        _ if owner.starts_with("java/lang/invoke/") => (HANDLE, 0),
        _ => (METHOD, usize::MAX),
    }
}

/// Whether the argument of that call was found by a name that stands in the code: in the same method, or in the one that
/// makes the lambda whose body this is.
pub fn is_named(world: &World, method: MethodId, call: OpId, argument: usize) -> bool {
    let Some(body) = world.body(method) else {
        return false;
    };
    let Some(Op::Call(Call { arguments, .. })) = body.op(call) else {
        return false;
    };
    let Some(Some(node)) = arguments.get(argument) else {
        return false;
    };
    match body.parameters().position(|p| p == Some(node)) {
        None => is_found(world, method, body, node),
        Some(parameter) => {
            body.given_by(node).is_some_and(|calls| calls.is_empty())
                && is_captured_named(world, method, body, parameter)
        }
    }
}

/// Nothing is done with what that call has found: somebody only wants to know whether it is there, or compares it.
pub fn is_ignored(world: &World, method: MethodId, call: OpId) -> bool {
    let body = world.body(method);
    let passed = body.and_then(|body| body.passed_to(call));
    passed.is_some_and(|calls| calls.iter().all(|call| is_comparison(world, method, *call)))
}

/// A comparison of types of methods: these ask nobody else.
fn is_comparison(world: &World, method: MethodId, call: OpId) -> bool {
    let class = world.method(method).class;
    let Some(body) = world.body(method) else {
        return false;
    };
    let Some(Op::Call(found)) = body.op(call) else {
        return false;
    };
    let named = |call: Call<'_>| {
        let (owner, selector) = world.member_in(class, call.target);
        (world.name(owner), world.selector(selector))
    };
    let gives_type = |call: &OpId| match body.op(*call) {
        Some(Op::Call(call)) => named(call).1.1.ends_with(")Ljava/lang/invoke/MethodType;"),
        _ => false,
    };
    let is_type = |node: Option<Node>| {
        let calls = node.and_then(|node| body.given_by(node));
        calls.is_some_and(|calls| calls.iter().all(gives_type))
    };
    match named(found) {
        ("java/lang/invoke/MethodType", ("equals", _)) => true,
        ("java/util/Objects", ("equals", _)) => {
            let mut arguments = found.arguments.iter();
            arguments.all(|node| is_type(node) && node.is_some_and(|n| !body.parameters().contains(n)))
        }
        _ => false,
    }
}

fn is_found(world: &World, method: MethodId, body: Body<'_>, node: Node) -> bool {
    let is_literal = |call: &OpId| world.found_name(method, *call).is_some();
    !body.parameters().contains(node)
        && body
            .given_by(node)
            .is_some_and(|calls| calls.iter().all(is_literal))
}

/// Only lambdas of its own class run it, and what they capture for that parameter was found so.
fn is_captured_named(world: &World, method: MethodId, body: Body<'_>, parameter: usize) -> bool {
    const SYNTHETIC: u16 = 0x1000;
    let class = world.method(method).class;
    let facts = world.facts.get(class as usize);
    let Some(facts) = facts.filter(|_| body.access & (PRIVATE | SYNTHETIC) == PRIVATE | SYNTHETIC) else {
        return false;
    };
    let means_it = |member: u32| {
        let (owner, selector) = world.member_in(class, member);
        owner == world.class(class).name && selector == world.method(method).selector
    };
    for maker in world.methods_of(class) {
        let Some(body) = world.body(maker) else { continue };
        for (_, op) in body.ops() {
            match op {
                Op::Call(call) if means_it(call.target) => return false,
                Op::Lambda { lambda, captured, .. } => {
                    let target = facts.lambdas().get(lambda as usize).map(|lambda| lambda.target);
                    if target.is_some_and(means_it)
                        && !captured.get(parameter).is_some_and(|captured| {
                            captured.is_none_or(|node| is_found(world, maker, body, node))
                        })
                    {
                        return false;
                    }
                }
                _ => {}
            }
        }
    }
    true
}

/// What a method of the JDK of which nothing is declared may give: methods, constructors, handles or types of them. What
/// handles are made of was found before.
pub fn gives(world: &World, owner: NameId, selector: SelectorId) -> Vec<Reflection> {
    use Reflection::{FindsConstructors, FindsMethods};
    let (_, descriptor) = world.selector(selector);
    let (_, result) = descriptor.split_at(descriptor.find(')').map_or(0, |end| end + 1));
    let is_made_of_others = world.name(owner).starts_with("java/lang/invoke/MethodHandle");
    match types::class_of(result) {
        Some("java/lang/invoke/MethodHandle" | "java/lang/invoke/CallSite") if is_made_of_others => vec![],
        Some("java/lang/reflect/Method") => vec![FindsMethods],
        Some("java/lang/reflect/Constructor" | "java/lang/invoke/MethodType") => vec![FindsConstructors],
        Some(
            "java/lang/reflect/Executable"
            | "java/lang/reflect/GenericDeclaration"
            | "java/lang/reflect/Member"
            | "java/lang/invoke/MethodHandle"
            | "java/lang/invoke/CallSite",
        ) => vec![FindsMethods, FindsConstructors],
        _ => vec![],
    }
}
