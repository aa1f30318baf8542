// Figure 10 of the paper: `this` escapes from a constructor to a thread that processes events (RACER finds it, ERASER does not).
class Main {
    public static void main(String[] args) {
        EventSource source = new EventSource();
        Thread processing = new Thread(source::process, "event-processing");
        processing.start();
        new ThisEscape(source);
        source.post(new Event("hello"));
        source.post(Event.LAST);
    }
}
