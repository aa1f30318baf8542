package prog;

/** Writes a site table as the weaver would, for classes that are woven by hand. */
final class Table {
    private final StringBuilder fields = new StringBuilder();
    private final StringBuilder methods = new StringBuilder();
    private final StringBuilder sites = new StringBuilder();
    private final String header;

    Table(String internalClass, String source) {
        // What the weaver would be told to weave for.
        String validFor = System.getProperty("prog.wovenfor", "*");
        header = "racewire-sites 4\t" + internalClass + "\t" + source + "\t" + validFor + "\n";
    }

    Table field(String owner, String name, String descriptor, boolean isStatic) {
        fields.append("F\t" + owner + "\t" + name + "\t" + descriptor + "\t" + (isStatic ? "s" : "i") + "\tnumbering\n");
        return this;
    }

    Table method(String name, String descriptor) {
        methods.append("M\t" + name + "\t" + descriptor + "\n");
        return this;
    }

    Table site(int method, int line, int field, char kind, int ordinal) {
        sites.append("S\t" + method + "\t" + line + "\t" + field + "\t" + kind + "\t" + ordinal + "\n");
        return this;
    }

    @Override
    public String toString() {
        return header + fields + methods + sites;
    }
}
