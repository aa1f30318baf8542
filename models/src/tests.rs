use super::*;

fn find<'m>(models: &'m Models, ancestors: &[&str], name: &str, descriptor: &str) -> Option<&'m Model> {
    models.find(ancestors, name, descriptor)
}

fn parse(text: &str) -> Models {
    let mut models = Models::default();
    models.add(text).unwrap();
    models
}

fn error(text: &str) -> String {
    Models::default().add(text).unwrap_err().to_string()
}

#[test]
fn the_nearest_class_and_the_most_particular_overload_win() {
    let models = parse(
        "['a.Queue']\n'put' = { put = ['this', 0] }\n'put/2' = 'none'\n'put(int,String)' = { release = 'this' }\n\
         ['a.Fast']\n'*' = 'none'\n",
    );
    let steps =
        |ancestors: &[&str], descriptor| find(&models, ancestors, "put", descriptor).unwrap().steps.len();
    assert_eq!(steps(&["a/Queue"], "(Ljava/lang/Object;)V"), 1);
    assert_eq!(steps(&["a/Queue"], "(II)V"), 0);
    assert_eq!(steps(&["a/Queue"], "(ILjava/lang/String;)V"), 1);
    assert_eq!(steps(&["a/Fast", "a/Queue"], "(I)V"), 0);
    assert_eq!(steps(&["a/Mine", "a/Fast", "a/Queue"], "(I)V"), 1);
    assert_eq!(find(&models, &["a/Other"], "put", "(I)V"), None);
    assert_eq!(find(&models, &["a/Queue"], "get", "(I)V"), None);
}

#[test]
fn a_later_text_overrules_method_by_method() {
    let mut models = parse("['a.Lock']\n'enter exit' = { acquire-release = 'this' }\n");
    models
        .add("['a.Lock']\n'enter' = { lock = 'this', when = 'true' }\n")
        .unwrap();
    let enter = &find(&models, &["a/Lock"], "enter", "()Z").unwrap().steps;
    assert_eq!(enter.len(), 1);
    assert_eq!(
        (enter[0].moment, enter[0].condition),
        (Moment::After, Some(Condition::True))
    );
    assert_eq!(find(&models, &["a/Lock"], "exit", "()V").unwrap().steps.len(), 2);
}

#[test]
fn constructors_are_not_inherited() {
    let models = parse("['a.Task']\n'new/1' = { task = 0 }\n'*' = 'none'\n");
    assert!(find(&models, &["a/Task"], "<init>", "(I)V").is_some());
    assert!(find(&models, &["a/Task"], "<init>", "()V").is_none());
    assert!(find(&models, &["a/Sub", "a/Task"], "<init>", "(I)V").is_none());
}

#[test]
fn mistakes_name_their_line() {
    assert_eq!(
        error("['a.B']\n'f' = 'nothing'\n"),
        "line 2: `f`: neither \"none\" nor a table of effects"
    );
    assert_eq!(
        error("\n['a/B']\n"),
        "line 2: `a/B` is no class name (java.util.Map$Entry)"
    );
    let early = error("['a.B']\n\n'f' = { release = 'result' }\n");
    assert!(
        early.starts_with("line 3: `f`: the result is known only after"),
        "{early}"
    );
    let unknown = error("['a.B']\n'f' = { aquire = 'this' }\n");
    assert!(
        unknown.contains("line 2: `f`: unknown field `aquire`"),
        "{unknown}"
    );
    let twice = error("['a.B']\n'f g' = 'none'\n'f' = 'none'\n");
    assert_eq!(twice, "line 3: `f` is declared twice");
    assert!(error("['a.B']\n'f' = { acquire = 'that' }\n").contains("`that` is neither"));
}

#[test]
fn reads_and_writes_can_stand_among_calls() {
    let models =
        parse("['a.B']\n'f' = { call-before = ['X.y(0)', 'write(this)'], call-after = ['read(token)'] }\n");
    let model = find(&models, &["a/B"], "f", "(La/C;)V").unwrap();
    let state = |is_write| Helper::State { is_write, part: None };
    let steps: Vec<_> = model
        .steps
        .iter()
        .skip(1)
        .map(|s| (s.moment, s.helper.clone()))
        .collect();
    assert_eq!(
        steps,
        [(Moment::Before, state(true)), (Moment::After, state(false))]
    );
}

#[test]
fn parameters_are_written_as_in_java() {
    let models = parse("['a.B']\n'f(int[], a.C, String[][])' = 'none'\n");
    assert!(find(&models, &["a/B"], "f", "([ILa/C;[[Ljava/lang/String;)V").is_some());
    assert!(find(&models, &["a/B"], "f", "([ILa/C;)V").is_none());
    assert_eq!(
        parameter_types("(I[JLa/C;[[La/D;Z)V"),
        ["I", "[J", "La/C;", "[[La/D;", "Z"]
    );
}

#[test]
fn the_models_of_the_jdk_can_be_read() {
    let models = Models::jdk().unwrap();
    assert!(models.may_name("a/B", "countDown") && models.may_name("a/B", "offer"));
    assert!(!models.may_name("a/B", "frobnicate"));
}

#[test]
fn elements_are_found_by_what_the_call_is_given() {
    let models = parse(
        "['a.B']\n'whole' = { write = 0 }\n'some' = { read = [{ of = 0, from = 1, to = 2 }, { of = 3, up-to = 4 }] }\n\
         'made' = { write = { of = 'result' } }\n'one' = { read = { of = 'this', at = 0 } }\n",
    );
    let steps = |name| {
        let steps = find(&models, &["a/B"], name, "()V").unwrap().steps.iter();
        steps
            .map(|s| (s.moment, s.helper.clone(), s.operands.clone()))
            .collect::<Vec<_>>()
    };
    let state = |is_write, part| Helper::State { is_write, part };
    let arguments = |numbers: &[u8]| numbers.iter().map(|&n| Operand::Argument(n)).collect::<Vec<_>>();
    assert_eq!(
        steps("whole"),
        [(Moment::Before, state(true, None), arguments(&[0]))]
    );
    assert_eq!(
        steps("some"),
        [
            (
                Moment::After,
                state(false, Some("between")),
                arguments(&[0, 1, 2])
            ),
            (Moment::After, state(false, Some("upTo")), arguments(&[3, 4])),
        ]
    );
    assert_eq!(
        steps("made"),
        [(Moment::After, state(true, None), vec![Operand::Result])]
    );
    let one = vec![Operand::This, Operand::Argument(0)];
    assert_eq!(steps("one"), [(Moment::Before, state(false, Some("at")), one)]);
    assert!(
        error("['a.B']\n'm' = { read = { of = 0, from = 1 } }\n").starts_with("line 2: `m`: elements are")
    );
    assert!(error("['a.B']\n'm' = { read = { from = 1, to = 2 } }\n").contains("`of`"));
}

#[test]
fn without_pipes_streams_are_left_alone() {
    let models = parse(
        "['a.Stream']\n'write' = { call-before = ['Pipes.send(this)'] }\n\
         'read' = { write = 'this', call-after = ['Pipes.receive(this)'] }\n\
         ['a.Pipe']\ncontainer = 'pipe'\n['a.Around']\nwraps = 'in a.Stream'\n",
    );
    assert_eq!(models.pipes().collect::<Vec<_>>(), ["a/Pipe"]);
    assert_eq!(models.containers(), "pipe a.Pipe\nwraps a.Around in La/Stream;\n");
    let steps = |models: &Models, name| find(models, &["a/Stream"], name, "()V").unwrap().steps.len();
    assert_eq!((steps(&models, "write"), steps(&models, "read")), (1, 2));
    let without = models.without_pipes();
    assert_eq!((steps(&without, "write"), steps(&without, "read")), (0, 1));
}

#[test]
fn what_is_said_of_all_methods_counts_for_those_that_others_call_back() {
    let models = parse(
        "['a.Remote']\n'*' = { body = true }\n['a.Task']\n'run' = { callback = true }\n'stop' = 'none'\n'*' = { release = 'this' }\n",
    );
    let remote = ["a/Mine", "a/Remote"];
    assert_eq!(models.find_body(&remote, "anything", "()V"), Some(Body::Task));
    let task = ["a/Mine", "a/Task"];
    assert_eq!(models.find_body(&task, "run", "()V"), Some(Body::Callback));
    assert_eq!(models.find_body(&task, "stop", "()V"), None);
    assert_eq!(models.find_body(&task, "other", "()V"), None);
    // Calls are looked up as ever.
    assert_eq!(find(&models, &["a/Mine", "a/Remote"], "anything", "()V"), None);
    assert!(!models.may_name("a/Mine", "anything") && models.may_name("a/Remote", "anything"));
}
