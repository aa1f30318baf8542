interface EventListener {
    void onEvent(Event e);
}
