package httpx

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"strings"
	"sync/atomic"

	"software.sslmate.com/src/go-pkcs12"
)

// TLS says whom a client trusts and who it is.
type TLS struct {
	// TrustAll takes any certificate.
	TrustAll bool
	// Algorithm is the oldest protocol that is spoken: "TLSv1.2", "TLSv1.3".
	Algorithm string
	// KeyStore has the client's certificate and key, TrustStore the
	// authorities: PEM or PKCS12.
	KeyStore, TrustStore                 []byte
	KeyStorePassword, TrustStorePassword string
}

func (t *TLS) key() string {
	if t == nil {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%v|%s|%q|%q|%q|%q", t.TrustAll, t.Algorithm, t.KeyStore, t.KeyStorePassword, t.TrustStore, t.TrustStorePassword)
	return hex.EncodeToString(h.Sum(nil))
}

func (t *TLS) config() (*tls.Config, error) {
	if t == nil {
		t = new(TLS)
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: t.TrustAll}
	switch strings.ToLower(t.Algorithm) {
	case "", "tls", "ssl", "tlsv1.2", "default":
	case "tlsv1.3":
		c.MinVersion = tls.VersionTLS13
	case "tlsv1.1":
		c.MinVersion = tls.VersionTLS11
	case "tlsv1", "tlsv1.0":
		c.MinVersion = tls.VersionTLS10
	default:
		return nil, tlsError("algorithm %q is not known: TLSv1.2 or TLSv1.3", t.Algorithm)
	}
	if t.TrustStore != nil {
		pool, err := trustPool(t.TrustStore, t.TrustStorePassword)
		if err != nil {
			return nil, err
		}
		c.RootCAs = pool
	}
	if t.KeyStore != nil {
		pair, err := clientPair(t.KeyStore, t.KeyStorePassword)
		if err != nil {
			return nil, err
		}
		c.Certificates = []tls.Certificate{*pair}
	} else {
		c.GetClientCertificate = func(r *tls.CertificateRequestInfo) (*tls.Certificate, error) {
			if asked, ok := r.Context().Value(askedKey{}).(*atomic.Bool); ok {
				asked.Store(true)
			}
			return new(tls.Certificate), nil
		}
	}
	return c, nil
}

// askedKey is the context's *atomic.Bool that says whether the server asked for a
// client's certificate. Who has none is sent away only after the handshake, and the
// server's word about it may be lost with the connection.
type askedKey struct{}

func tlsError(format string, args ...any) error {
	return &Error{Reason: "tls", Message: "ssl: " + fmt.Sprintf(format, args...)}
}

// jks is how a Java key store begins.
var jks = []byte{0xfe, 0xed, 0xfe, 0xed}

const convertJKS = "the store is a Java one (JKS); make it PKCS12: keytool -importkeystore -srckeystore OLD -destkeystore NEW.p12 -deststoretype PKCS12"

func trustPool(store []byte, password string) (*x509.CertPool, error) {
	pool := x509.NewCertPool()
	switch {
	case bytes.HasPrefix(store, jks):
		return nil, tlsError("trustStore: %s", convertJKS)
	case bytes.Contains(store, []byte("-----BEGIN")):
		if !pool.AppendCertsFromPEM(store) {
			return nil, tlsError("trustStore has no certificate that can be read")
		}
		return pool, nil
	}
	certs, err := pkcs12.DecodeTrustStore(store, password)
	if err != nil {
		// A store with a key has its certificates, too.
		_, leaf, chain, keyErr := pkcs12.DecodeChain(store, password)
		if keyErr != nil {
			return nil, tlsError("trustStore: %s", plainPKCS12(err))
		}
		certs = append(chain, leaf)
	}
	for _, c := range certs {
		pool.AddCert(c)
	}
	return pool, nil
}

// plainPKCS12 says what is wrong with a store without the words of its encoding.
func plainPKCS12(err error) string {
	if strings.Contains(err.Error(), "asn1") {
		return "it can be read neither as PKCS12 nor as PEM"
	}
	return err.Error()
}

func clientPair(store []byte, password string) (*tls.Certificate, error) {
	switch {
	case bytes.HasPrefix(store, jks):
		return nil, tlsError("keyStore: %s", convertJKS)
	case bytes.Contains(store, []byte("-----BEGIN")):
		certs, key := splitPEM(store)
		pair, err := tls.X509KeyPair(certs, key)
		if err != nil {
			return nil, tlsError("keyStore: %v", err)
		}
		return &pair, nil
	}
	key, leaf, chain, err := pkcs12.DecodeChain(store, password)
	if err != nil {
		return nil, tlsError("keyStore: %s", plainPKCS12(err))
	}
	pair := &tls.Certificate{PrivateKey: key, Leaf: leaf, Certificate: [][]byte{leaf.Raw}}
	for _, c := range chain {
		pair.Certificate = append(pair.Certificate, c.Raw)
	}
	return pair, nil
}

// splitPEM tells certificates from keys.
func splitPEM(text []byte) (certs, key []byte) {
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			return certs, key
		}
		if block.Type == "CERTIFICATE" {
			certs = append(certs, pem.EncodeToMemory(block)...)
		} else if strings.Contains(block.Type, "PRIVATE KEY") {
			key = append(key, pem.EncodeToMemory(block)...)
		}
		text = rest
	}
}
