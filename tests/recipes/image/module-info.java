module com.acme.image { }
