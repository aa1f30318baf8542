//! A Spring Boot jar, woven and launched on every JDK. Apart from the other archives, since its loader is fetched with the
//! corpus, which takes a while.

use crate::archives::{ALL_FIELDS, class, launch_each};
use crate::harness::jars::{self, JarWriter};
use crate::harness::java::Java;
use crate::harness::racewire::{FOUND, findings, monitored, weave};
use crate::harness::scratch::Scratch;

#[test]
fn a_spring_boot_jar_is_launched_by_its_own_loader() {
    let scratch = Scratch::new("boot");
    let library = JarWriter::create(&scratch.join("box.jar"))
        .manifest(&[])
        .entry("lib/Box.class", &class("lib/Box.class"))
        .finish();
    let mut jar = JarWriter::create(&scratch.join("app.jar")).manifest(&[
        "Main-Class: org.springframework.boot.loader.launch.JarLauncher",
        "Start-Class: app.Racy",
        "Spring-Boot-Classes: BOOT-INF/classes/",
        "Spring-Boot-Lib: BOOT-INF/lib/",
    ]);
    let loader = &super::jar("spring-boot-loader").path;
    for name in jars::names(loader)
        .iter()
        .filter(|n| n.starts_with("org/") && !n.ends_with('/'))
    {
        jar = jar.entry(name, &jars::content(loader, name));
    }
    let jar = jar
        .directory("BOOT-INF/")
        .directory("BOOT-INF/classes/")
        .entry("BOOT-INF/classes/app/Racy.class", &class("app/Racy.class"))
        .directory("BOOT-INF/lib/")
        .stored("BOOT-INF/lib/box.jar", &std::fs::read(library).unwrap())
        .finish();
    // Once only the program, once everything, the loader itself included.
    for (i, options) in [&["--include", "app.**", "--include", "lib.**"][..], &[]]
        .into_iter()
        .enumerate()
    {
        let woven = scratch.join(format!("woven{i}.jar"));
        weave(&jar, &woven, options);
        launch_each(&scratch, |jdk, folder| {
            let out = Java::new(jdk)
                .args(monitored(folder))
                .arg("-jar")
                .arg(&woven)
                .run();
            assert_eq!(out.stdout, "guarded 2, box from base\n", "{}", out.describe());
            assert_eq!(out.code, FOUND, "{}", out.describe());
            // Races of the loader, should it have any, are its own business here.
            let own = findings(folder)
                .into_iter()
                .map(|f| f.variable)
                .filter(|v| v.starts_with("org."));
            (own.chain(ALL_FIELDS.map(str::to_owned)).collect(), out)
        });
    }
}
