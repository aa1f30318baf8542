//! Scripts as Java source: one class per script, every access in a method (and on a line) of its own, every
//! step between `turn` and `next` of the baton.

use super::script::{ELEMENTS, Hold, Kind, Lock, Node, Script};
use super::sync::Sync;

/// Java source of a script and the line of each of its sites.
pub struct Source {
    pub text: String,
    pub lines: Vec<u32>,
}

pub fn java(script: &Script) -> Source {
    let mut emitter = Emitter {
        out: String::new(),
        line: 1,
        lines: Vec::new(),
    };
    emitter.class(script);
    Source {
        text: emitter.out,
        lines: emitter.lines,
    }
}

struct Emitter {
    out: String,
    line: u32,
    lines: Vec<u32>,
}

impl Emitter {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
        self.line += 1;
    }

    fn class(&mut self, script: &Script) {
        let name = &script.name;
        self.put("package gen;");
        self.put("import baton.Baton;");
        self.put("import java.util.Queue;");
        self.put("import java.util.concurrent.*;");
        self.put("import java.util.concurrent.atomic.*;");
        self.put("import java.util.concurrent.locks.*;");
        self.put(&format!("public final class {name} implements Runnable {{"));
        self.put("public static final Baton BATON = new Baton();");
        self.put(&format!("public static final int STEPS = {};", script.run.len()));
        for lock in &script.locks {
            self.lock_field(*lock);
        }
        let count_downs = script.count_downs();
        for i in 0..script.syncs {
            for line in Sync::declarations(i, count_downs.get(&i).copied().unwrap_or_default()) {
                self.put(&line);
            }
        }
        self.put("static final class O {");
        for (i, field) in script.fields.iter().enumerate() {
            let modifier = if field.is_static { "static " } else { "" };
            let of = field_type(i);
            self.put(&if field.is_array {
                format!("{modifier}final {of}[] f{i} = new {of}[{ELEMENTS}];")
            } else {
                format!("{modifier}{of} f{i};")
            });
        }
        self.put("}");
        for i in 0..script.objects {
            self.put(&format!("static final O o{i} = new O();"));
        }
        self.put("final int thread;");
        self.put(&format!("public {name}(int thread) {{ this.thread = thread; }}"));
        self.put("public void run() {");
        self.put("try {");
        self.put("switch (thread) {");
        for t in 0..script.threads.len() {
            self.put(&format!("case {t}: t{t}(); break;"));
        }
        self.put("}");
        self.put("} catch (InterruptedException e) { throw new IllegalStateException(e); }");
        self.put("}");
        for site in 0..script.sites.len() {
            self.site(script, site);
        }
        for (t, thread) in script.threads.iter().enumerate() {
            self.put(&format!(
                "private static void t{t}() throws InterruptedException {{"
            ));
            let mut steps = thread.steps.iter().copied();
            self.nodes(script, &thread.body, &mut steps);
            self.put("}");
        }
        self.put("}");
    }

    fn lock_field(&mut self, lock: Lock) {
        match lock {
            Lock::Class | Lock::Owner(_) => {}
            Lock::Monitor(i) => self.put(&format!("static final Object m{i} = new Object();")),
            Lock::Reentrant(i) => {
                self.put(&format!("static final ReentrantLock r{i} = new ReentrantLock();"))
            }
            // Half of them through the interface: both call shapes must be woven.
            Lock::ReadWrite(i) if i % 2 == 0 => {
                self.put(&format!(
                    "static final ReadWriteLock w{i} = new ReentrantReadWriteLock();"
                ));
            }
            Lock::ReadWrite(i) => {
                self.put(&format!(
                    "static final ReentrantReadWriteLock w{i} = new ReentrantReadWriteLock();"
                ));
            }
        }
    }

    fn site(&mut self, script: &Script, index: usize) {
        let site = script.sites[index];
        let owner = if script.fields[site.field].is_static {
            "O"
        } else {
            "o"
        };
        let element = if script.fields[site.field].is_array {
            format!("[{}]", site.element)
        } else {
            String::new()
        };
        let variable = format!("{owner}.f{}{element}", site.field);
        self.put(&format!("private static void a{index}(O o) {{"));
        self.lines.push(self.line);
        match site.kind {
            Kind::Read => self.put(&format!("{} x = {variable};", field_type(site.field))),
            Kind::Write => self.put(&format!("{variable} = 1;")),
            Kind::Update => self.put(&format!("{variable} += 1;")),
        }
        self.put("}");
    }

    fn nodes(&mut self, script: &Script, body: &[Node], steps: &mut impl Iterator<Item = Option<usize>>) {
        for node in body {
            match node {
                Node::Access { site, object, times } => {
                    self.turn(steps);
                    let call = format!("a{site}(o{object});");
                    self.put(&if *times > 1 {
                        format!("for (int i = 0; i < {times}; i++) {call}")
                    } else {
                        call
                    });
                    self.put("BATON.next();");
                }
                Node::Start(child) => {
                    let name = &script.name;
                    self.turn(steps);
                    self.put(&format!(
                        "BATON.adopt(new Thread(new {name}({child}), \"{name}-t{child}\")).start();"
                    ));
                    self.put("BATON.next();");
                }
                Node::Sync(sync) => {
                    if self.turn(steps) {
                        self.put(&format!("{{ {} }}", sync.java(&script.name)));
                        self.put("BATON.next();");
                    }
                }
                Node::Critical(hold, inner) => {
                    let (enter, leave) = enter_leave(*hold);
                    self.turn(steps);
                    self.put(&enter);
                    self.put("BATON.next();");
                    self.nodes(script, inner, steps);
                    self.turn(steps);
                    self.put(&leave);
                    self.put("BATON.next();");
                }
            }
        }
    }

    /// Whether there is one.
    fn turn(&mut self, steps: &mut impl Iterator<Item = Option<usize>>) -> bool {
        let Some(step) = steps.next().unwrap_or(Some(usize::MAX)) else {
            return false;
        };
        self.put(&format!("BATON.turn({step});"));
        true
    }
}

/// Fields of one and two slots: their hooks differ in the class file.
fn field_type(field: usize) -> &'static str {
    ["int", "long", "double", "short"][field % 4]
}

fn enter_leave(hold: Hold) -> (String, String) {
    let explicit = |lock: String| (format!("{lock}.lock();"), format!("{lock}.unlock();"));
    match hold.lock {
        Lock::Class => ("synchronized (O.class) {".into(), "}".into()),
        Lock::Owner(i) => (format!("synchronized (o{i}) {{"), "}".into()),
        Lock::Monitor(i) => (format!("synchronized (m{i}) {{"), "}".into()),
        Lock::Reentrant(i) => explicit(format!("r{i}")),
        Lock::ReadWrite(i) if hold.shared => explicit(format!("w{i}.readLock()")),
        Lock::ReadWrite(i) => explicit(format!("w{i}.writeLock()")),
    }
}
