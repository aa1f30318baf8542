package com.acme.shop;

import java.util.Map;

class TicketShop {
    private static Map<String, Integer> prices;
    private int sold;

    void open() {
        for (int i = 1; i <= 2; i++) new Thread(this::serve, "clerk-" + i).start();
    }

    private void serve() {
        while (open) {
            // every clerk counts
            sell();
        }
    }

    private void sell() {
        sold++; // sold by whom?
    }

    void close() {
        // the day's result
        System.out.println(sold);
    }

    static int price(String show) {
	if (prices == null)
		prices = load();
        return prices.get(show);
    }
}
