class ThisEscape {
    int i;

    ThisEscape(EventSource source) {
        i = 42; // expect race[racer]: i
        source.registerListener(
            new EventListener() {
                @Override
                public void onEvent(Event e) {
                    doSomething(e);
                }
            }
        );
    }

    void doSomething(Event e) {
        // Runs in the event-processing thread, which was started before the constructor wrote i: 0 or 42?
        System.out.println(e.text() + " " + i); // expect race[racer]: i
    }
}
