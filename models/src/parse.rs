//! From the TOML text to models. The format is explained at the top of `jdk-sync.toml` and in docs/models.md.

use super::{
    Body, Condition, Container, Entry, Helper, Keep, Model, ModelError, Models, Moment, Operand, Parameters,
    Step, elements,
};
use rustc_hash::FxHashSet;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use toml::{Spanned, Value};

/// Class, method and overloads.
type Said = FxHashSet<(String, String, Parameters)>;

type Table = BTreeMap<Spanned<String>, Spanned<Value>>;

/// What is said of a method, as written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Declared {
    release: Option<Value>,
    acquire: Option<Value>,
    acquire_release: Option<Value>,
    lock: Option<Value>,
    unlock: Option<Value>,
    lock_shared: Option<Value>,
    unlock_shared: Option<Value>,
    locked: Option<Value>,
    put: Option<[Value; 2]>,
    take: Option<[Value; 2]>,
    read: Option<Value>,
    write: Option<Value>,
    #[serde(rename = "in")]
    stored: Option<Value>,
    #[serde(rename = "out")]
    given: Option<Value>,
    alias: Option<[Value; 2]>,
    task: Option<u8>,
    future: Option<Value>,
    #[serde(default)]
    after: Vec<Value>,
    #[serde(default)]
    repeats: bool,
    #[serde(default)]
    body: bool,
    #[serde(default)]
    serial: bool,
    #[serde(default)]
    phase: bool,
    #[serde(default)]
    maker: bool,
    #[serde(default)]
    callback: bool,
    #[serde(default)]
    guarded: bool,
    #[serde(default)]
    finalizer: bool,
    when: Option<When>,
    #[serde(default)]
    even_if_thrown: bool,
    #[serde(default)]
    interruptible: bool,
    /// Methods of the runtime: `"token = Class.method(this, 0)"`.
    #[serde(default)]
    call_before: Vec<String>,
    #[serde(default)]
    call_after: Vec<String>,
    #[serde(default)]
    call_thrown: Vec<String>,
    /// What a release is for that only happens if the result is true.
    attempt: Option<Value>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum When {
    True,
    False,
    NonNull,
    NonZero,
    Natural,
}

impl Models {
    /// Adds the models of a text.
    pub fn add(&mut self, text: &str) -> Result<(), ModelError> {
        let fail = |at: usize, cause: String| ModelError {
            line: 1 + text.bytes().take(at).filter(|&b| b == b'\n').count(),
            cause,
        };
        let mut digest = DefaultHasher::new();
        (self.digest, text).hash(&mut digest);
        self.digest = digest.finish();
        let classes: BTreeMap<Spanned<String>, Table> = toml::from_str(text)
            .map_err(|e| fail(e.span().map_or(0, |s| s.start), e.message().replace('\n', " ")))?;
        let mut seen = Said::default();
        for (names, table) in in_order(&classes) {
            let at = names.span().start;
            for class in names.get_ref().split_whitespace() {
                if class.contains(['/', ';', '(']) {
                    return Err(fail(
                        at,
                        format!("`{class}` is no class name (java.util.Map$Entry)"),
                    ));
                }
                self.add_class(&class.replace('.', "/"), table, &mut seen)
                    .map_err(|(at, cause)| fail(at, cause))?;
            }
        }
        Ok(())
    }

    /// `seen`: what this text has said of so far.
    fn add_class(&mut self, class: &str, table: &Table, seen: &mut Said) -> Result<(), (usize, String)> {
        let every = table.iter().find(|(key, _)| key.get_ref() == "every");
        let every = every.map_or(Ok(Model::default()), |(key, value)| {
            model(value.get_ref()).map_err(|e| (key.span().start, format!("`every`: {e}")))
        })?;
        for (key, value) in in_order(table) {
            let at = key.span().start;
            let fail = |cause| (at, cause);
            let strings = |value: &Value| value.as_str().map(str::to_owned);
            match key.get_ref().as_str() {
                "extends" => {
                    let named = strings(value.get_ref())
                        .ok_or_else(|| fail("`extends` is no list of classes".into()))?;
                    let parents = named.split_whitespace().map(|p| p.replace('.', "/"));
                    self.parents.entry(class.to_owned()).or_default().extend(parents);
                }
                "every" => {}
                kind @ ("backed-by" | "wraps") => {
                    let text = strings(value.get_ref()).unwrap_or_default();
                    let (field, class_of_it) = text
                        .split_once(' ')
                        .ok_or_else(|| fail(format!("`{kind}` is a field and its type")))?;
                    let all = if kind == "wraps" {
                        &mut self.wrapped
                    } else {
                        &mut self.backed
                    };
                    all.retain(|(known, ..)| known != class);
                    all.push((class.to_owned(), field.to_owned(), class_of_it.replace('.', "/")));
                }
                "container" => {
                    let kind = match strings(value.get_ref()).as_deref() {
                        Some("unsafe") => Container::Unsafe,
                        Some("concurrent") => Container::Concurrent,
                        Some("locked") => Container::Locked,
                        Some("pipe") => Container::Pipe,
                        _ => return Err(fail("`container` is unsafe, concurrent, locked or pipe".into())),
                    };
                    self.containers.retain(|(known, _)| known != class);
                    self.containers.push((class.to_owned(), kind));
                }
                methods => {
                    let (declared, is_apart) = apart(value.get_ref());
                    let mut model = model(&declared).map_err(|e| fail(format!("`{methods}`: {e}")))?;
                    if !model.steps.is_empty() && !is_apart {
                        model.steps = around(&every.steps, model.steps);
                    }
                    let nth = self.models.len();
                    self.models.push(model);
                    for method in split_methods(methods) {
                        let (name, parameters) = method_of(&method).map_err(fail)?;
                        if !seen.insert((class.to_owned(), name.clone(), parameters.clone())) {
                            return Err(fail(format!("`{method}` is declared twice")));
                        }
                        let of_name = self.entries.entry(name).or_default();
                        let entries = of_name.entry(class.to_owned()).or_default();
                        entries.retain(|e| e.parameters != parameters);
                        entries.push(Entry {
                            parameters,
                            model: nth,
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

/// As they were written.
fn in_order<V>(table: &BTreeMap<Spanned<String>, V>) -> Vec<(&Spanned<String>, &V)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// What is said of a method, and whether it does not do what every method of the class does: `every = false`.
fn apart(value: &Value) -> (Value, bool) {
    let mut declared = value.clone();
    let every = declared.as_table_mut().and_then(|table| table.remove("every"));
    (declared, every == Some(Value::Boolean(false)))
}

/// What every method does goes around what one does: a lock is taken before all else.
fn around(every: &[Step], own: Vec<Step>) -> Vec<Step> {
    let (first, rest): (Vec<_>, Vec<_>) = every.iter().cloned().partition(Step::is_guard);
    first.into_iter().chain(own).chain(rest).collect()
}

/// Methods are separated by spaces; those between brackets are part of a parameter list.
fn split_methods(key: &str) -> Vec<String> {
    let mut methods = vec![String::new()];
    let mut depth = 0;
    for c in key.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match (c.is_whitespace(), depth) {
            (true, 0) => methods.push(String::new()),
            (true, _) => {}
            (false, _) => methods.last_mut().into_iter().for_each(|m| m.push(c)),
        }
    }
    methods.retain(|m| !m.is_empty());
    methods
}

/// `put`, `put/1` or `put(int,java.lang.Object)`; a constructor is called `new`.
fn method_of(text: &str) -> Result<(String, Parameters), String> {
    let named = |name: &str| if name == "new" { "<init>" } else { name }.to_owned();
    if let Some((name, count)) = text.split_once('/') {
        let count = count
            .parse()
            .map_err(|_| format!("`{text}`: `{count}` is no number of parameters"))?;
        return Ok((named(name), Parameters::Count(count)));
    }
    let Some((name, types)) = text.split_once('(') else {
        return Ok((named(text), Parameters::Any));
    };
    let types = types
        .strip_suffix(')')
        .ok_or_else(|| format!("the parameters of `{text}` do not end"))?;
    let mut head = String::from("(");
    for name in types.split(',').filter(|t| !t.is_empty()) {
        head.push_str(&descriptor_of(name));
    }
    head.push(')');
    Ok((named(name), Parameters::Exactly(head)))
}

/// `[I` for `int[]`; a name without a package is one of `java.lang`.
fn descriptor_of(name: &str) -> String {
    let element = name.trim_end_matches("[]");
    let brackets = "[".repeat((name.len() - element.len()) / 2);
    let element = match element {
        "int" => "I".into(),
        "long" => "J".into(),
        "boolean" => "Z".into(),
        "double" => "D".into(),
        "float" => "F".into(),
        "byte" => "B".into(),
        "char" => "C".into(),
        "short" => "S".into(),
        class if class.contains('.') => format!("L{};", class.replace('.', "/")),
        class => format!("Ljava/lang/{class};"),
    };
    brackets + &element
}

fn model(value: &Value) -> Result<Model, String> {
    match value {
        Value::String(none) if none == "none" => Ok(Model::default()),
        Value::Table(_) => {
            let declared: Declared = value
                .clone()
                .try_into()
                .map_err(|e: toml::de::Error| e.message().replace('\n', " "))?;
            declared.model()
        }
        _ => Err("neither \"none\" nor a table of effects".into()),
    }
}

impl Declared {
    fn model(&self) -> Result<Model, String> {
        let after = if self.even_if_thrown {
            Moment::Always
        } else {
            Moment::After
        };
        let condition = self.when.map(|when| match when {
            When::True => Condition::True,
            When::False => Condition::False,
            When::NonNull => Condition::NonNull,
            When::NonZero => Condition::NonZero,
            When::Natural => Condition::Natural,
        });
        let mut steps = Vec::new();
        let before = |helper, operands| Step::call(Moment::Before, helper, operands);
        let later = |helper, operands| Step::call(after, helper, operands).when(condition);
        for of in values(&self.locked) {
            steps.push(before("Locks.enter", vec![operand(of)?]));
        }
        for (state, is_write) in [(&self.read, false), (&self.write, true)] {
            for of in values(state) {
                steps.push(elements::access(of, is_write)?);
            }
        }
        for of in values(&self.locked) {
            steps.push(before("Locks.pass", vec![operand(of)?]));
        }
        for of in values(&self.release).chain(values(&self.acquire_release)) {
            steps.push(before("Sync.release", vec![operand(of)?]));
        }
        for of in values(&self.unlock) {
            steps.push(before("Locks.unlock", vec![operand(of)?]));
        }
        for of in values(&self.unlock_shared) {
            steps.push(before("Locks.unlockShared", vec![operand(of)?]));
        }
        if let Some([container, element]) = &self.put {
            steps.push(before("Sync.put", vec![operand(container)?, operand(element)?]));
        }
        for of in values(&self.stored) {
            steps.push(before("Elements.in", vec![Operand::This, operand(of)?]));
        }
        self.task_steps(&mut steps)?;
        if let Some(on) = &self.attempt {
            let attempt = before("Attempts.on", vec![operand(on)?]).keeping(Keep::Token);
            let settle = vec![Operand::Token, Operand::Result];
            let failed = Step::call(Moment::Thrown, "Attempts.failed", vec![Operand::Token]);
            steps.extend([
                attempt,
                Step::call(Moment::After, "Attempts.settle", settle),
                failed,
            ]);
        }
        for call in &self.call_before {
            steps.push(helper_call(Moment::Before, call)?);
        }
        for of in values(&self.locked) {
            steps.push(Step::call(Moment::Always, "Locks.leave", vec![operand(of)?]));
        }
        for of in values(&self.acquire) {
            steps.push(later("Sync.acquire", vec![operand(of)?]));
        }
        for of in values(&self.acquire_release) {
            steps.push(Step::call(after, "Sync.acquire", vec![operand(of)?]));
        }
        for of in values(&self.lock) {
            steps.push(later("Locks.lock", vec![operand(of)?]));
        }
        for of in values(&self.lock_shared) {
            steps.push(later("Locks.lockShared", vec![operand(of)?]));
        }
        if let Some([container, element]) = &self.take {
            steps.push(later("Sync.take", vec![operand(container)?, operand(element)?]));
        }
        for of in values(&self.given) {
            steps.push(later("Elements.out", vec![Operand::This, operand(of)?]));
        }
        if let Some([view, owner]) = &self.alias {
            steps.push(Step::call(
                Moment::After,
                "Views.alias",
                vec![operand(view)?, operand(owner)?],
            ));
        }
        for call in &self.call_after {
            steps.push(helper_call(after, call)?.when(condition));
        }
        for call in &self.call_thrown {
            steps.push(helper_call(Moment::Thrown, call)?);
        }
        if self.interruptible {
            steps.push(Step::call(
                Moment::Thrown,
                "Interrupts.thrown",
                vec![Operand::Thrown],
            ));
        }
        check(&steps)?;
        let bodies = [
            (self.body, Body::Task),
            (self.serial, Body::Serial),
            (self.phase, Body::Phase),
            (self.maker, Body::Maker),
            (self.callback, Body::Callback),
            (self.guarded, Body::Guarded),
            (self.finalizer, Body::Finalizer),
        ];
        let body = bodies.into_iter().find(|(is, _)| *is).map(|(_, body)| body);
        Ok(Model { steps, body })
    }

    /// The argument is run by somebody, perhaps elsewhere and later, and perhaps a future tells when it is done.
    fn task_steps(&self, steps: &mut Vec<Step>) -> Result<(), String> {
        let Some(task) = self.task else {
            return if self.future.is_none() && self.after.is_empty() {
                Ok(())
            } else {
                Err("`future` and `after` need a `task`".into())
            };
        };
        let mut submitted = vec![Operand::Argument(task)];
        for source in &self.after {
            submitted.push(operand(source)?);
        }
        let submit = Step::call(Moment::Before, "Tasks.submit", submitted).keeping(Keep::Token);
        let wrap = vec![Operand::Argument(task), Operand::Token];
        let wrap = Step::call(Moment::Before, "Tasks.wrap", wrap).keeping(Keep::Argument(task));
        steps.extend([submit, wrap]);
        if self.repeats {
            steps.push(Step::call(Moment::Before, "Tasks.repeats", vec![Operand::Token]));
        }
        for future in values(&self.future) {
            let moment = match operand(future)? {
                Operand::Result => Moment::After,
                _ => Moment::Before,
            };
            steps.push(Step::call(
                moment,
                "Tasks.tie",
                vec![operand(future)?, Operand::Token],
            ));
        }
        Ok(())
    }
}

/// What a method does must be doable: nobody knows a result before the call.
fn check(steps: &[Step]) -> Result<(), String> {
    for step in steps {
        let early = step.operands.contains(&Operand::Result) && step.moment != Moment::After;
        let conditional = step.condition.is_some() && step.moment != Moment::After;
        if early || conditional {
            return Err("the result is known only after the call, and if nothing was thrown".into());
        }
    }
    Ok(())
}

fn values(value: &Option<Value>) -> impl Iterator<Item = &Value> {
    let many = value.as_ref().and_then(Value::as_array);
    let one = value.as_ref().filter(|_| many.is_none());
    many.into_iter().flatten().chain(one)
}

pub(crate) fn operand(value: &Value) -> Result<Operand, String> {
    match value {
        Value::String(name) => operand_named(name),
        Value::Integer(n) => u8::try_from(*n)
            .map(Operand::Argument)
            .map_err(|_| format!("there is no argument {n}")),
        _ => Err(format!(
            "`{value}` is neither this, result, thread nor an argument's number"
        )),
    }
}

fn operand_named(name: &str) -> Result<Operand, String> {
    Ok(match name {
        "this" => Operand::This,
        "result" => Operand::Result,
        "thread" => Operand::Thread,
        "token" => Operand::Token,
        "thrown" => Operand::Thrown,
        "name" => Operand::Name,
        _ => match (
            name.parse(),
            name.strip_prefix("coordinates-").and_then(|n| n.parse().ok()),
        ) {
            (Ok(n), _) => Operand::Argument(n),
            (_, Some(n)) => Operand::Coordinates(n),
            _ => {
                return Err(format!(
                    "`{name}` is neither this, result, thread nor an argument's number"
                ));
            }
        },
    })
}

/// `token = Barriers.arrive(this)`; `read(this)` and `write(this)` are as the effects, among other calls.
fn helper_call(moment: Moment, text: &str) -> Result<Step, String> {
    let bad = || format!("`{text}` is no call of the runtime");
    let (keep, call) = match text.split_once('=') {
        Some((kept, call)) => {
            let keep = match kept.trim() {
                "token" => Keep::Token,
                n => Keep::Argument(n.parse().map_err(|_| bad())?),
            };
            (keep, call.trim())
        }
        None => (Keep::Nothing, text.trim()),
    };
    let (helper, operands) = call
        .strip_suffix(')')
        .and_then(|c| c.split_once('('))
        .ok_or_else(bad)?;
    let operands = operands.split(',').map(str::trim).filter(|o| !o.is_empty());
    let operands = operands.map(operand_named).collect::<Result<_, _>>()?;
    let step = Step::call(moment, helper, operands).keeping(keep);
    Ok(match helper {
        "read" | "write" => Step {
            helper: Helper::State {
                is_write: helper == "write",
                part: None,
            },
            ..step
        },
        _ => step,
    })
}
