import java.util.Map;

/** Prices, loaded when first needed: by whichever clerk comes first, or by several, seen by the others or not. */
class PriceList {
    private Map<String, Integer> prices;

    int of(String category) {
        if (prices == null) { // expect race: prices
            prices = load(); // expect race: prices
        }
        return prices.get(category); // expect race: prices
    }

    void refresh() {
        prices = load(); // expect race: prices
    }

    private static Map<String, Integer> load() {
        return Map.of("stalls", 40, "balcony", 25);
    }
}
