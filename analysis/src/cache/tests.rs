use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::{ClassHash, Encoded, FactsCache, LastRun, VerdictsCache, sweep};
use crate::facts::ClassFacts;
use crate::ir::class_facts;
use crate::ir::tests::{compile, jdk::each_jdk_class};
use crate::maybe_shared::{Callers, Proof, Removed, Repeat, Runs, Shared, UnknownMet, Verdicts};
use crate::reach::Unknown;

const NAME: &str = "program";

/// As the weaver does for each class.
fn facts_of(cache: &FactsCache, bytes: &[u8]) -> ClassFacts {
    let hash = ClassHash::of(bytes);
    let kept = if cache.knows(hash) { cache.get(hash) } else { None };
    kept.unwrap_or_else(|| {
        let facts = class_facts(bytes).unwrap();
        cache.put(hash, &facts);
        facts
    })
}

/// A run over these classes: the facts are always right; gives how many were in the cache and how many were not.
fn run<'c>(folder: &Path, classes: impl IntoIterator<Item = &'c Vec<u8>>) -> (u64, u64) {
    let cache = FactsCache::open(folder, NAME);
    for bytes in classes {
        assert_eq!(facts_of(&cache, bytes), class_facts(bytes).unwrap());
    }
    let counts = cache.counts();
    cache.save();
    counts
}

/// Classes `A`, `B` and `C`.
fn classes(constant: i32) -> Vec<Vec<u8>> {
    let source = format!(
        "class A {{ int f = {constant}; Object o; void m(A a) {{ a.o = this; new Thread(() -> a.m(this)).start(); }} }}
         class B extends A {{ static B b = new B(); synchronized int m() {{ return b.f++; }} }}
         class C {{ String s(Object o) {{ return \"C\" + o; }} }}"
    );
    let compiled = compile(&source);
    ["A", "B", "C"].map(|name| compiled.bytes[name].clone()).into()
}

#[test]
fn all_facts_of_the_jdk_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let mut all = Vec::new();
    each_jdk_class(&mut |bytes| all.push(bytes.to_vec()));
    let count = all.len() as u64;
    assert!(count > 100);
    assert_eq!(run(folder.path(), &all), (0, count));
    assert_eq!(run(folder.path(), &all), (count, 0));
}

#[test]
fn a_changed_class_is_looked_at_again() {
    let folder = tempfile::tempdir().unwrap();
    let (before, after) = (classes(1), classes(2));
    assert_eq!(run(folder.path(), &before), (0, 3));
    assert_eq!(run(folder.path(), &after), (2, 1));
    assert_eq!(run(folder.path(), &after), (3, 0));
    // Only what the last run used is kept.
    assert_eq!(run(folder.path(), &before), (2, 1));
    assert_eq!(run(folder.path(), &before[..1]), (1, 0));
    assert_eq!(run(folder.path(), &before), (1, 2));
}

#[test]
fn a_class_may_be_there_twice() {
    let folder = tempfile::tempdir().unwrap();
    let classes = classes(1);
    let twice = || classes.iter().chain(&classes);
    assert_eq!(run(folder.path(), twice()), (0, 6));
    assert_eq!(run(folder.path(), twice()), (6, 0));
}

#[test]
fn a_file_is_written_only_if_enough_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("{NAME}.{}", sweep::FACTS));
    let many: Vec<Vec<u8>> = (0..200).map(class_named).collect();
    run(folder.path(), &many[..199]);
    let written = std::fs::read(&file).unwrap();
    assert_eq!(run(folder.path(), &many[..199]), (199, 0));
    assert_eq!(run(folder.path(), &many), (199, 1));
    assert_eq!(std::fs::read(&file).unwrap(), written);
    assert_eq!(run(folder.path(), &many[..100]), (100, 0));
    assert!(std::fs::read(&file).unwrap().len() < written.len());
}

/// A class file with a name and nothing else (JVMS 4.1).
fn class_named(number: u16) -> Vec<u8> {
    let name = format!("C{number}");
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 5];
    for text in [&*name, "java/lang/Object"] {
        bytes.extend([1, 0, text.len() as u8]);
        bytes.extend(text.as_bytes());
    }
    bytes.extend([7, 0, 1, 7, 0, 2]);
    bytes.extend([0, 0x20, 0, 3, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

/// `run` looks whether the facts are right.
#[test]
fn damage_costs_time_only() {
    let folder = tempfile::tempdir().unwrap();
    let classes = classes(1);
    let file = folder.path().join(format!("{NAME}.{}", sweep::FACTS));
    run(folder.path(), &classes);
    let good = std::fs::read(&file).unwrap();
    let facts: Vec<ClassFacts> = classes.iter().map(|bytes| class_facts(bytes).unwrap()).collect();
    let check = |bad: &[u8], most_hits: u64| {
        std::fs::write(&file, bad).unwrap();
        let cache = FactsCache::open(folder.path(), NAME);
        let mut hits = 0;
        for (bytes, facts) in classes.iter().zip(&facts) {
            if let Some(got) = cache.get(ClassHash::of(bytes)) {
                assert_eq!(got, *facts);
                hits += 1;
            }
        }
        assert!(hits <= most_hits);
    };
    check(&good, 3);
    for length in 0..good.len() {
        check(&good[..length], 0);
    }
    let mut bad = good.clone();
    for at in 0..good.len() {
        for bit in 0..8 {
            bad[at] ^= 1 << bit;
            check(&bad, 2);
            bad[at] = good[at];
        }
    }
    // Header, facts, index (of three classes).
    let index = good.len() - 3 * 36;
    for range in [0..32, 32..index, index..good.len(), 0..good.len()] {
        for byte in [0, 0xff] {
            let mut bad = good.clone();
            bad[range.clone()].fill(byte);
            check(&bad, 0);
        }
    }
    check(&[&good[..], &[0]].concat(), 0);
    check(b"something else", 0);

    // The next run puts it right.
    assert_eq!(run(folder.path(), &classes), (0, 3));
    assert_eq!(run(folder.path(), &classes), (3, 0));
}

#[test]
fn a_folder_that_cannot_be_written_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    for _ in 0..2 {
        assert_eq!(run(&file, &classes(1)), (0, 3));
    }
    // A folder where the file should be.
    std::fs::create_dir_all(folder.path().join("program.facts/content")).unwrap();
    for _ in 0..2 {
        assert_eq!(run(folder.path(), &classes(1)), (0, 3));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn many_threads_share_a_cache() {
    let folder = tempfile::tempdir().unwrap();
    let classes = classes(1);
    for hits in [0, 24] {
        let cache = FactsCache::open(folder.path(), NAME);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| classes.iter().for_each(|bytes| drop(facts_of(&cache, bytes))));
            }
        });
        assert_eq!(cache.counts(), (hits, 24 - hits));
        cache.save();
    }
}

const FOLDER: &str = "RACEWIRE_TEST_CACHE";

/// What [`processes_that_write_at_once_do_not_disturb_each_other`] starts.
#[test]
fn one_of_many_processes() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let folder = Path::new(&folder);
    let mut number = std::process::id() as u16 % 100;
    for _ in 0..300 {
        number = (number + 37) % 100;
        let some: Vec<Vec<u8>> = (number..number + 100).map(class_named).collect();
        run(folder, &some);
    }
}

#[test]
fn processes_that_write_at_once_do_not_disturb_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let start = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["cache::tests::one_of_many_processes", "--exact"]);
        command.env(FOLDER, folder.path()).spawn().unwrap()
    };
    for mut process in [start(), start(), start()] {
        assert!(process.wait().unwrap().success());
    }
    let some: Vec<Vec<u8>> = (0..200).map(class_named).collect();
    // One of them was the last, and its file is whole.
    assert_eq!(run(folder.path(), &some), (100, 100));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn old_files_go() {
    let folder = tempfile::tempdir().unwrap();
    let create = |name: &str, bytes: u64, hours: u64| {
        let file = std::fs::File::create(folder.path().join(name)).unwrap();
        file.set_len(bytes).unwrap();
        let time = SystemTime::now() - Duration::from_secs(3600 * hours);
        file.set_modified(time).unwrap();
    };
    let left = || {
        let files = std::fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<String> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    for hours in 1..=30 {
        create(&format!("{hours:02}.facts"), 10, hours);
    }
    create("young.tmp", 10, 0);
    create("old.tmp", 10, 2);
    create("another", 10, 1000);
    run(folder.path(), &classes(1));
    let mut expected: Vec<String> = (1..20).map(|hours| format!("{hours:02}.facts")).collect();
    expected.extend(["another", "program.facts", "young.tmp"].map(str::to_owned));
    assert_eq!(left(), expected);

    create("02.facts", 600 << 20, 2);
    run(folder.path(), &classes(2));
    assert_eq!(left(), ["01.facts", "another", "program.facts", "young.tmp"]);
}

/// Verdicts on nothing in particular.
fn some_verdicts() -> Verdicts {
    let removed = Removed {
        method: 3,
        pc: 70_000,
        proof: Proof::EffectivelyFinal,
    };
    let repeat = Repeat {
        method: 0,
        pc: 1,
        repeated_at: 9,
    };
    let field = |name: &str| ("a/B".to_owned(), name.to_owned(), "I".to_owned());
    let path = vec!["a.B.main".to_owned(), "a.B.f".to_owned()];
    Verdicts {
        removed: vec![vec![removed], Vec::new()],
        repeats: vec![Vec::new(), vec![repeat]],
        shared: [
            (field("f"), Shared::ByManyThreads(path)),
            (field("g"), Shared::ByAnyThread(vec!["a.B.g".to_owned()])),
        ]
        .into_iter()
        .collect(),
        unknown: vec![UnknownMet {
            what: Unknown::WritesFields,
            name: "x.Y.z".to_owned(),
            example: "a.B.f".to_owned(),
            places: 2,
        }],
        cost: Some(vec![1, 2]),
        callers: Callers::Unknown,
        reached_methods: 5,
        methods: 7,
        threads: vec![("a.B.main".to_owned(), true)],
        several: Some(vec![true, false]),
        runs: Some(Runs {
            masks: vec![1, u64::MAX],
            many: 1 << 63,
        }),
    }
}

#[test]
fn verdicts_come_back_only_if_nothing_changed() {
    let folder = tempfile::tempdir().unwrap();
    let hash = |number: u16| ClassHash::of(&class_named(number));
    let open = |options: &str, classes: &[u16]| {
        VerdictsCache::open(folder.path(), NAME, options, classes.iter().map(|n| hash(*n)))
    };
    assert_eq!(open("racer", &[1, 2]).get(), None);
    open("racer", &[1, 2]).put(&some_verdicts());
    assert_eq!(open("racer", &[1, 2]).get(), Some(some_verdicts()));
    for classes in [&[][..], &[1], &[2, 1], &[1, 3], &[1, 2, 2]] {
        assert_eq!(open("racer", classes).get(), None);
    }
    assert_eq!(open("eraser", &[1, 2]).get(), None);
    open("eraser", &[1, 2]).put(&Verdicts::default());
    assert_eq!(open("eraser", &[1, 2]).get(), Some(Verdicts::default()));
    assert_eq!(open("racer", &[1, 2]).get(), Some(some_verdicts()));
    // Only the last ones are kept.
    open("racer", &[1, 3]).put(&some_verdicts());
    assert_eq!(open("racer", &[1, 2]).get(), None);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn damaged_verdicts_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let cache = VerdictsCache::open(folder.path(), NAME, "", std::iter::empty());
    cache.put(&some_verdicts());
    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap();
    let file = file.unwrap().path();
    let good = std::fs::read(&file).unwrap();
    for length in 0..good.len() {
        std::fs::write(&file, &good[..length]).unwrap();
        assert_eq!(cache.get(), None);
    }
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1;
        std::fs::write(&file, bad).unwrap();
        assert_eq!(cache.get(), None);
    }
    std::fs::write(&file, good).unwrap();
    assert_eq!(cache.get(), Some(some_verdicts()));
    // A folder where the file should be.
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    cache.put(&some_verdicts());
    assert_eq!(cache.get(), None);
}

#[test]
fn a_file_that_is_used_stays_young() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &classes(1));
    let file = std::fs::File::open(folder.path().join("program.facts")).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(100_000))
        .unwrap();
    assert_eq!(run(folder.path(), &classes(1)), (3, 0));
    let age = file.metadata().unwrap().modified().unwrap().elapsed().unwrap();
    assert!(age < Duration::from_secs(3600));
}

#[test]
fn encoded_values_come_back_and_are_kept_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let verdicts = some_verdicts();
    let many: Vec<_> = (0..500)
        .map(|nth| (nth, Encoded::of(&verdicts).unwrap()))
        .collect();
    LastRun::woven(folder.path(), "some", 7).put(&many);
    let back: Vec<(i32, Encoded<Verdicts>)> = LastRun::woven(folder.path(), "some", 7).get().unwrap();
    assert_eq!(back, many);
    assert_eq!(
        format!("{:?}", back[499].1.get()),
        format!("{:?}", Some(verdicts))
    );
    assert!(
        LastRun::woven(folder.path(), "some", 8)
            .get::<Vec<(i32, Encoded<Verdicts>)>>()
            .is_none()
    );
}
