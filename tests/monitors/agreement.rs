//! Pointcuts mean what they mean to AspectJ: `declare warning` of its compiler names every join point that an expression
//! matches, `racewire match` does the same, on three real jars. Join points that only one of the two has are left out: class
//! initialisers and exception handlers; synchronized methods, which AspectJ only opens for advice; and code without line
//! numbers, of which `declare warning` says nothing.

use crate::corpus;
use crate::harness::process;
use crate::harness::racewire::racewire;
use crate::harness::scratch::Scratch;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const JARS: [&str; 3] = ["commons-collections-3", "typesafe-config", "asm"];

const KINDS: [&str; 8] = [
    "field-get",
    "field-set",
    "method-call",
    "constructor-call",
    "method-execution",
    "constructor-execution",
    "lock",
    "unlock",
];

/// Number of the pointcut, source file with its folder, line, kind.
type Point = (usize, String, u32, String);

#[test]
fn pointcuts_match_what_aspectj_matches() {
    let pointcuts = pointcuts();
    assert!(pointcuts.len() >= 200);
    let jars: Vec<PathBuf> = JARS.iter().map(|id| corpus::jar(id).path.clone()).collect();
    let theirs = ask_ajc(&pointcuts, &jars);
    let mut ours = BTreeSet::new();
    for jar in &jars {
        ours.extend(ask_racewire(&pointcuts, jar));
    }
    let mut report = String::new();
    for (nth, text) in pointcuts.iter().enumerate() {
        let of = |all: &BTreeSet<Point>| -> BTreeSet<Point> {
            all.iter().filter(|p| p.0 == nth).cloned().collect()
        };
        let (ours, theirs) = (of(&ours), of(&theirs));
        let missed: Vec<&Point> = theirs.difference(&ours).collect();
        let more: Vec<&Point> = ours.difference(&theirs).collect();
        if !missed.is_empty() || !more.is_empty() {
            let few = |points: &[&Point]| -> Vec<String> {
                points.iter().take(3).map(|p| format!("{p:?}")).collect()
            };
            let _ = writeln!(
                report,
                "{text}\n  {} missed {:?}\n  {} too many {:?}",
                missed.len(),
                few(&missed),
                more.len(),
                few(&more)
            );
        }
    }
    assert_eq!(report, "");
    let matched: BTreeSet<usize> = theirs.iter().map(|p| p.0).collect();
    assert!(
        matched.len() > 120,
        "only {} pointcuts match anything",
        matched.len()
    );
}

fn ask_ajc(pointcuts: &[String], jars: &[PathBuf]) -> BTreeSet<Point> {
    let scratch = Scratch::new("ajc");
    let mut aspect = String::from("public aspect A {\n");
    for (nth, text) in pointcuts.iter().enumerate() {
        let _ = writeln!(aspect, "declare warning: {text}: \"P{nth}\";");
    }
    aspect.push_str("}\n");
    let source = scratch.write("A.aj", aspect);
    let [tools, runtime] = ["aspectjtools", "aspectjrt"].map(|id| &corpus::jar(id).path);
    let mut ajc = Command::new("java");
    ajc.args(["-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"])
        .arg(tools);
    ajc.arg("org.aspectj.tools.ajc.Main").arg("-inpath");
    ajc.arg(std::env::join_paths(jars).unwrap())
        .arg("-cp")
        .arg(runtime);
    ajc.args([
        "-Xjoinpoints:synchronization",
        "-Xlint:ignore",
        "-source",
        "8",
        "-target",
        "8",
        "-outjar",
    ]);
    ajc.arg(scratch.join("out.jar")).arg(source);
    let out = process::run(&mut ajc);
    assert!(!out.stderr.contains("[error]"), "{}", out.describe());
    let mut points = BTreeSet::new();
    let mut lines = out.stderr.lines().chain(out.stdout.lines()).peekable();
    while let Some(line) = lines.next() {
        let Some((place, number)) = line.split_once(" [warning] P") else {
            continue;
        };
        let kind = lines
            .peek()
            .map_or("", |next| next.trim())
            .split('(')
            .next()
            .unwrap_or("");
        // Code without lines is told of without a place.
        let Some((file, line)) = place.rsplit_once(':') else {
            continue;
        };
        if KINDS.contains(&kind) {
            points.insert((
                number.parse().unwrap(),
                file.to_owned(),
                line.parse().unwrap(),
                kind.to_owned(),
            ));
        }
    }
    points
}

fn ask_racewire(pointcuts: &[String], jar: &Path) -> BTreeSet<Point> {
    let jar = jar.display().to_string();
    let args = ["match", jar.as_str()]
        .into_iter()
        .chain(pointcuts.iter().map(String::as_str));
    let out = racewire(args).expect_code(0);
    let point = |line: &str| {
        let mut columns = line.split('\t');
        let mut next = || columns.next().unwrap_or_default();
        let (number, kind, place) = (next(), next(), next());
        let (code, place) = place.split_once('(').unwrap();
        let (file, line) = place.trim_end_matches(')').rsplit_once(':').unwrap();
        let class = code.rsplit_once('.').unwrap().0;
        let package = class.rsplit_once('.').map_or("", |(package, _)| package);
        let file = format!("{}/{file}", package.replace('.', "/"));
        (
            number.parse::<usize>().unwrap() - 1,
            file,
            line.parse().unwrap(),
            kind.to_owned(),
        )
    };
    let points = out.stdout.lines().map(point);
    points.filter(|(_, _, line, _)| *line > 0).collect()
}

/// Always the same ones: every form by hand, and many by chance.
fn pointcuts() -> Vec<String> {
    let mut all: Vec<String> = [
        "get(* *)",
        "set(* *)",
        "get(static * *) || set(static * *)",
        "set(!final * *)",
        "get(* java..*.*)",
        "call(* *(..)) && within(*..*Bag)",
        "execution(* *(..))",
        "execution(new(..))",
        "call(new(..)) && within(org..map..*)",
        "call(java.util.ArrayList.new(..))",
        "call(java.lang.String.new(char[]))",
        "call(* java.util.Map.get(Object))",
        "call(* java.util.Map+.put(..))",
        "call(* java.util.Collection.size())",
        "call(* java.lang.Object.equals(Object))",
        "execution(* java.util.Iterator.next())",
        "execution(boolean java.lang.Object.equals(..))",
        "execution(* *..*Map+.*(..)) && !execution(* *..*Map.*(..))",
        "withincode(* *..*.iterator()) && call(* *(..))",
        "withincode(new(..)) && set(* *)",
        "withincode(*..*Bag.new(..))",
        "within(*..*Iterator) && call(* *.next())",
        "within(com.typesafe.config.impl.*) && get(final * *)",
        "within(com.typesafe.config.impl.ConfigImpl) && call(static * *(..))",
        "execution(public static * *(..))",
        "execution(synchronized * *(..))",
        "execution(!public * *(..))",
        "execution(* *(..) throws java.io.IOException)",
        "execution(* *(..) throws !java.io.IOException)",
        "call(* *(int, ..))",
        "call(* *(.., int))",
        "call(* *(*, *)) && within(*..*Utils)",
        "call(*[] *(..)) && !within(com..*)",
        "call(int[] *(..))",
        "get(*[] *)",
        "get(int[] *..*.*)",
        "get(!int *) && within(org.objectweb..*)",
        "get((int || boolean) *) && within(org.objectweb.asm.MethodWriter)",
        "set(java.util.Collection+ *)",
        "get(java.util.Map *)",
        "get(* org.objectweb.asm.ClassReader.*)",
        "call(* org.objectweb.asm.MethodVisitor+.visit*(..))",
        "call(* *..MethodVisitor.visit*(..))",
        "execution(* org.objectweb.asm.*Visitor.visit*(..))",
        "execution(@Deprecated * *(..))",
        "get(@Deprecated * *)",
        "call(@Deprecated * *(..))",
        "call(@java.lang.Override * *(..))",
        "@annotation(java.lang.Deprecated)",
        "within(@java.lang.FunctionalInterface *)",
        "lock() && !withincode(synchronized * *(..))",
        "unlock() && !withincode(synchronized * *(..))",
        "lock() && within(*..*Bag*)",
        "unlock() && !withincode(synchronized * *(..)) && within(com..*)",
        "call(* *.clone())",
        "call(String *(..)) && !within(com..*)",
        "call(void *.*(..)) && within(*..*Writer)",
        "execution(* get*()) || execution(boolean is*())",
        "execution(*..*.new(..)) && within(*..Abstract*)",
        "execution(* *..*.*$*(..))",
        "call(* java.lang.String.valueOf(Object))",
        "call(* String.substring(..))",
        "call(* StringBuilder.append(String))",
        "call(* *(String)) && !call(* StringB*.*(..))",
        "call(* *(java.util.Comparator)) || execution(* *(java.util.Comparator))",
        "execution(* *(Object[]))",
        "execution(* *(Object...))",
        "execution(* *..*Buffer.*(Object, ..))",
        "set(private int *)",
        "set(protected transient * *)",
        "get(volatile * *) || set(volatile * *)",
        "within(*..*.*Iterator)",
        "within(org.apache.commons.collections.map.*.*) && execution(* *(..))",
        "within(org.apache.commons.collections..* && !*..map..*) && set(* *)",
        "within((*..*Map || *..*Bag) && !*..Abstract*) && get(* *)",
    ]
    .map(str::to_owned)
    .to_vec();
    let mut dice = Dice(20_261_116);
    while all.len() < 240 {
        all.push(dice.pointcut());
    }
    all
}

/// A linear congruential generator (Knuth's constants).
struct Dice(u64);

impl Dice {
    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        from[(self.0 >> 33) as usize % from.len()]
    }

    fn type_pattern(&mut self) -> String {
        let plain = self.pick(&[
            "*",
            "*",
            "*",
            "*",
            "*",
            "*",
            "*",
            "*",
            "*",
            "*",
            "int",
            "boolean",
            "String",
            "Object",
            "java.util.List",
            "java.util..*",
            "*..*Config*",
            "*..Map*",
            "org.objectweb.asm.*",
            "java.util.Map.Entry",
            "*[]",
            "byte[]",
            "Object+",
            "java.util.Collection+",
            "Number+",
            "(int || String)",
            "(!int)",
            "(java.util.Collection+ && !java.util.Set)",
            "void",
            "long",
            "*..*Visitor+",
            "java.lang.Comparable+",
        ]);
        plain.to_owned()
    }

    fn declaring(&mut self) -> &'static str {
        self.pick(&[
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "*.",
            "*.",
            "*..*.",
            "org..*.",
            "*..*Map.",
            "*..*Map+.",
            "com.typesafe.config..*.",
            "java.util..*.",
            "*..Abstract*.",
            "java.lang.Object.",
            "org.objectweb.asm.*.",
            "*..*$*.",
            "(*..*Map || *..*Writer).",
            "java.util.Iterator+.",
            "*..*Iterator.",
            "String.",
            "*..*Impl.",
        ])
    }

    fn parameters(&mut self) -> &'static str {
        self.pick(&[
            "..",
            "..",
            "..",
            "",
            "..",
            "..",
            "..",
            "..",
            "*",
            "int",
            "Object",
            "int, ..",
            ".., int",
            "*, *",
            "Object, Object",
            "String, ..",
            "*, .., *",
            "java.util..*",
            "java.util.Map+",
            "Object[]",
            "int, int, ..",
        ])
    }

    fn pointcut(&mut self) -> String {
        let modifier = self.pick(&[
            "",
            "",
            "",
            "public ",
            "private ",
            "static ",
            "!static ",
            "final ",
            "!final ",
            "protected ",
            "!private ",
        ]);
        let result = self.type_pattern();
        let declaring = self.declaring();
        let name = self.pick(&[
            "*", "*", "*", "*", "*", "*", "*", "get*", "set*", "*e", "*s*", "size", "next", "key*", "is*",
            "visit*", "put", "value",
        ]);
        let parameters = self.parameters();
        let kind = self.pick(&[
            "get",
            "set",
            "call",
            "call",
            "execution",
            "call-new",
            "execution-new",
        ]);
        let first = match kind {
            "get" | "set" if result == "void" => format!("{kind}({modifier}* {declaring}{name})"),
            "get" | "set" => format!("{kind}({modifier}{result} {declaring}{name})"),
            "call" | "execution" => format!("{kind}({modifier}{result} {declaring}{name}({parameters}))"),
            other => {
                let kind = other.trim_end_matches("-new");
                let modifier = if modifier.contains("static") || modifier.contains("final") {
                    ""
                } else {
                    modifier
                };
                format!("{kind}({modifier}{declaring}new({parameters}))")
            }
        };
        let second = self.pick(&[
            "",
            "",
            "",
            "",
            "",
            " && within(*..*Map*)",
            " && within(org.objectweb..*)",
            " && !within(org.objectweb..*)",
            " && within(com.typesafe.config.impl.*)",
            " && withincode(* get*(..))",
            " && withincode(new(..))",
            " && !withincode(* *(..))",
            " && within(*..Abstract*+)",
            " && within(*..*.*)",
            " && within(java.util.Map+)",
            " && within(*..*Iterator || *..*Entry)",
        ]);
        format!("{first}{second}")
    }
}
