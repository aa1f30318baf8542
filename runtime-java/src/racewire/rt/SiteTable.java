package racewire.rt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The site table of one woven class, as text and taken apart (the form is that of crate {@code model}, module {@code sites}). */
final class SiteTable {
    /** Columns of the header. */
    private static final int VALID_FOR = 3;
    /** Columns of a site. */
    private static final int SITE_METHOD = 1;
    private static final int SITE_LINE = 2;
    private static final int SITE_FIELD = 3;
    private static final int SITE_KIND = 4;

    /** That of a class whose own cannot be used. */
    static final SiteTable NONE = new SiteTable();

    final String text;
    final String validFor;
    final int[] fieldOfSite;
    final boolean[] writes;
    /** What others did is looked at: not if a value is read only to make the field's next one of it. */
    final boolean[] observes;
    final String[] owners;
    final String[] names;
    final boolean[] isStatic;
    /** Not a field but the elements of arrays. */
    final boolean[] isElements;

    private SiteTable() {
        text = "";
        validFor = "";
        fieldOfSite = new int[0];
        writes = new boolean[0];
        observes = new boolean[0];
        owners = new String[0];
        names = new String[0];
        isStatic = new boolean[0];
        isElements = new boolean[0];
    }

    SiteTable(String text) {
        this.text = text;
        String[] header = text.substring(0, text.indexOf('\n')).split("\t", -1);
        validFor = header[VALID_FOR];
        List<String[]> fields = new ArrayList<>();
        int[] siteFields = new int[16];
        char[] kinds = new char[16];
        int sites = 0;
        for (int from = 0; from < text.length();) {
            int end = text.indexOf('\n', from);
            end = end < 0 ? text.length() : end;
            char tag = text.charAt(from);
            if (tag == 'F') {
                fields.add(text.substring(from, end).split("\t", -1));
            } else if (tag == 'S') {
                if (sites == siteFields.length) {
                    siteFields = Arrays.copyOf(siteFields, sites * 2);
                    kinds = Arrays.copyOf(kinds, sites * 2);
                }
                String[] columns = text.substring(from, end).split("\t", -1);
                kinds[sites] = columns[SITE_KIND].charAt(0);
                siteFields[sites++] = Integer.parseInt(columns[SITE_FIELD]);
            }
            from = end + 1;
        }
        fieldOfSite = Arrays.copyOf(siteFields, sites);
        writes = new boolean[sites];
        observes = new boolean[sites];
        for (int i = 0; i < sites; i++) {
            writes[i] = kinds[i] == 'w' || kinds[i] == 'o' || kinds[i] == 'b';
            observes[i] = kinds[i] == 'r' || kinds[i] == 'o';
        }
        owners = new String[fields.size()];
        names = new String[fields.size()];
        isStatic = new boolean[fields.size()];
        isElements = new boolean[fields.size()];
        for (int i = 0; i < owners.length; i++) {
            owners[i] = fields.get(i)[1].replace('/', '.');
            names[i] = fields.get(i)[2];
            isStatic[i] = fields.get(i)[4].equals("s");
            isElements[i] = names[i].equals(Names.ELEMENTS);
        }
    }

    int sites() {
        return fieldOfSite.length;
    }

    boolean isState(int field) {
        return names[field].equals(Names.STATE);
    }

    /** Of the nth field. */
    String descriptor(int field) {
        return nth(text.split("\n"), 'F', field)[3];
    }

    /** The table of this one site, which is a call, as one that accesses {@code field}, or elements of such arrays. */
    String reaching(int index, Class<?> declaring, FieldKey field) {
        String[] lines = text.split("\n");
        String[] site = nth(lines, 'S', index);
        boolean isElements = field == FieldKey.ELEMENTS;
        String owner = isElements ? arrays(declaring) : declaring.getName().replace('.', '/');
        return lines[0]
                + "\nF\t" + owner + '\t' + field.field + '\t' + (isElements ? owner.substring(1) : field.descriptor)
                + '\t' + (field.isStatic ? 's' : 'i') + '\t'
                + '\n' + String.join("\t", nth(lines, 'M', Integer.parseInt(site[SITE_METHOD])))
                + "\nS\t0\t" + site[SITE_LINE] + "\t0\t" + site[SITE_KIND] + '\t' + Epochs.OVERFLOW_ORDINAL + '\n';
    }

    /** The current thread's stack from the method of this site on, if {@code user} is its class; none if it is not there. */
    String[] stack(int index, Class<?> user) {
        String[] lines = text.split("\n");
        String[] site = nth(lines, 'S', index);
        String method = nth(lines, 'M', Integer.parseInt(site[SITE_METHOD]))[1];
        return Stacks.from(user.getName(), method, site[SITE_LINE]);
    }

    /** Whether a method of this name, or one that its body was moved to, accesses elements of arrays. */
    boolean hasElements(String method) {
        String[] lines = text.split("\n");
        for (int i = 0; i < sites(); i++) {
            if (isElements[fieldOfSite[i]]) {
                String name = nth(lines, 'M', Integer.parseInt(nth(lines, 'S', i)[SITE_METHOD]))[1];
                if (method.equals(name) || method.startsWith(Names.PREFIX)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** What the weaver calls such arrays: instructions know of no more types (JVMS 6.5, aaload and baload). */
    private static String arrays(Class<?> type) {
        Class<?> element = type.getComponentType();
        return !element.isPrimitive() ? "[Ljava/lang/Object;" : element == boolean.class ? "[B" : type.getName();
    }

    /** The columns of the nth line with this tag. */
    private static String[] nth(String[] lines, char tag, int nth) {
        int left = nth;
        for (int i = 1; i < lines.length; i++) {
            if (lines[i].charAt(0) == tag && left-- == 0) {
                return lines[i].split("\t", -1);
            }
        }
        throw new IllegalArgumentException("no line " + nth + " of " + tag);
    }
}
