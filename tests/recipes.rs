//! The class-path recipes of `docs/class-path-recipes.md` that `archives` does not launch already: a war in Tomcat and in
//! Jetty, plugins in class loaders of their own, a jlink image.

use crate::harness::integrations::maven;
use crate::harness::jars::JarWriter;
use crate::harness::jars::jar_of;
use crate::harness::java::{Compile, Java};
use crate::harness::jdk;
use crate::harness::process::{self, Output};
use crate::harness::racewire::{FOUND, findings, monitored, runtime_jar, weave};
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn source(name: &str) -> PathBuf {
    tests_dir().join("recipes").join(name)
}

fn variables(folder: &Path) -> Vec<String> {
    let mut variables: Vec<String> = findings(folder).into_iter().map(|f| f.variable).collect();
    variables.dedup();
    variables
}

fn assert_found(out: &Output, folder: &Path, variable: &str) {
    assert_eq!(out.code, FOUND, "{}", out.describe());
    assert_eq!(variables(folder), [variable], "{}", out.describe());
}

/// A library with everything it needs, as Maven resolves it.
fn libraries(name: &str, at: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("libraries")
        .join(name);
    let jars = || -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let paths = entries.map(|e| e.path());
        paths
            .filter(|p| p.extension().is_some_and(|e| e == "jar"))
            .collect()
    };
    if jars().is_empty() {
        let mut parts = at.split(':');
        let [group, artifact, version] = std::array::from_fn(|_| parts.next().unwrap_or_default());
        let pom = format!(
            "<project><modelVersion>4.0.0</modelVersion><groupId>racewire</groupId><artifactId>{name}</artifactId>\
             <version>1</version><packaging>pom</packaging><dependencies><dependency><groupId>{group}</groupId>\
             <artifactId>{artifact}</artifactId><version>{version}</version></dependency></dependencies></project>"
        );
        let scratch = Scratch::new(name);
        scratch.write("pom.xml", pom);
        let mut mvn = maven(Path::new("mvn"), scratch.path());
        mvn.args(["-q", "dependency:copy-dependencies"])
            .arg(format!("-DoutputDirectory={}", folder.display()));
        process::fetch(&mut mvn).expect_code(0);
    }
    jars()
}

/// Servlet containers, with the jars of each.
pub fn containers() -> &'static BTreeMap<&'static str, Vec<PathBuf>> {
    static FETCHED: OnceLock<BTreeMap<&str, Vec<PathBuf>>> = OnceLock::new();
    FETCHED.get_or_init(|| {
        let containers = [
            ("tomcat", "org.apache.tomcat.embed:tomcat-embed-core:10.1.34"),
            ("jetty", "org.eclipse.jetty.ee10:jetty-ee10-annotations:12.0.16"),
        ];
        containers.map(|(name, at)| (name, libraries(name, at))).into()
    })
}

/// A war in a servlet container that is not woven itself.
fn in_container(name: &str, host: &str) {
    let scratch = Scratch::new(name);
    let jars = &containers()[name];
    let servlet = Compile::new([source("web/CounterServlet.java")]).class_path(jars.clone());
    let war = JarWriter::create(&scratch.join("app.war"))
        .manifest(&[])
        .tree(&servlet.classes(), "WEB-INF/classes/")
        .finish();
    let woven = scratch.join("woven.war");
    weave(&war, &woven, &[]);
    let hosts = [source(&format!("host/{host}.java")), source("host/Visitors.java")];
    let mut class_path = vec![Compile::new(hosts).class_path(jars.clone()).classes()];
    class_path.extend(jars.clone());
    for jdk in jdk::all() {
        let folder = scratch.join(format!("findings-{}", jdk.version));
        let out = Java::new(jdk)
            .args(monitored(&folder))
            .class_path(&class_path)
            .arg(format!("host.{host}"))
            .arg(&woven)
            .arg(scratch.path())
            .run();
        assert_eq!(out.stdout, "counted counted\n", "{}", out.describe());
        assert_found(&out, &folder, "web.CounterServlet.visits");
    }
}

#[test]
fn a_war_in_tomcat() {
    in_container("tomcat", "TomcatHost");
}

#[test]
fn a_war_in_jetty() {
    in_container("jetty", "JettyHost");
}

#[test]
fn plugins_in_class_loaders_of_their_own_share_one_runtime() {
    let scratch = Scratch::new("plugins");
    let plugin = Compile::new([source("plugins/Counter.java")]).classes();
    let host = Compile::new([source("plugins/Host.java")]).classes();
    let woven: Vec<PathBuf> = ["one", "two"]
        .iter()
        .map(|name| {
            let jar = jar_of(&plugin, &scratch.join(format!("{name}.jar")), None);
            let woven = scratch.join(format!("woven-{name}.jar"));
            weave(&jar, &woven, &["--no-bundle-runtime"]);
            woven
        })
        .collect();
    let class_path = [host, runtime_jar(&scratch.join("racewire-runtime.jar"))];
    for jdk in jdk::all() {
        let folder = scratch.join(format!("findings-{}", jdk.version));
        let out = Java::new(jdk)
            .args(monitored(&folder))
            .class_path(&class_path)
            .arg("plugins.Host")
            .args(&woven)
            .run();
        assert_eq!(out.stdout, "done\n", "{}", out.describe());
        assert_found(&out, &folder, "plugin.Counter.count");
        let files = std::fs::read_dir(&folder).map_or(0, Iterator::count);
        assert_eq!(files, 1, "one runtime, one findings file");
    }
}

#[test]
fn a_jlink_image() {
    let scratch = Scratch::new("image");
    let sources = [
        source("image/module-info.java"),
        source("image/com/acme/image/Main.java"),
    ];
    let runtime = runtime_jar(&scratch.join("racewire-runtime.jar"));
    for jdk in jdk::all() {
        let jar = jar_of(
            &Compile::new(sources.clone()).classes(),
            &scratch.join("app.jar"),
            Some("com.acme.image.Main"),
        );
        let woven = scratch.join("woven.jar");
        weave(&jar, &woven, &["--no-bundle-runtime"]);
        let image = scratch.join(format!("image-{}", jdk.version));
        let mut jlink = Command::new(jdk.tool("jlink"));
        jlink
            .arg("--module-path")
            .arg(std::env::join_paths([&woven, &runtime]).unwrap_or_default())
            .args(["--add-modules", "com.acme.image", "--output"])
            .arg(&image)
            .args(["--launcher", "app=com.acme.image/com.acme.image.Main"]);
        process::run(&mut jlink).expect_code(0);
        let folder = scratch.join(format!("findings-{}", jdk.version));
        let mut app = Command::new(image.join("bin/app"));
        app.env(
            "RACEWIRE_OPTIONS",
            format!("required=true:findings={}", folder.display()),
        )
        .env_remove("JAVA_TOOL_OPTIONS");
        let out = process::run(&mut app);
        assert_eq!(out.stdout, "done\n", "{}", out.describe());
        assert_found(&out, &folder, "com.acme.image.Main.count");
    }
}
