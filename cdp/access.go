package cdp

// Access is a page in the protocol: the connection to its browser, and its session.
type Access struct {
	Conn    *Conn
	Session *Session
}

// Page is something that may be a page in a protocol, such as a tab of package driver.
type Page interface{ Raw() any }

// Of gives the connection and the session of a page, for what nothing above the protocol
// offers. Both are nil where its browser is spoken to in another one.
func Of(p Page) (*Conn, *Session) {
	a, _ := p.Raw().(Access)
	return a.Conn, a.Session
}
