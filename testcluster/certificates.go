package testcluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// authority is a certificate authority that lives as long as its cluster.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// pair is a certificate and its key in PEM form.
type pair struct {
	certificate, key []byte
}

func newAuthority(name string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the authority %s: %w", name, err)
	}
	template, err := newTemplate(pkix.Name{CommonName: name})
	if err != nil {
		return nil, fmt.Errorf("make the authority %s: %w", name, err)
	}
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make the authority %s: %w", name, err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("make the authority %s: %w", name, err)
	}
	return &authority{certificate: certificate, key: key}, nil
}

// pem is the authority's certificate.
func (a *authority) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.certificate.Raw})
}

// serving makes a certificate for a server with these names and addresses.
func (a *authority) serving(names []string, addresses ...net.IP) (pair, error) {
	template, err := newTemplate(pkix.Name{CommonName: names[0]})
	if err != nil {
		return pair{}, err
	}
	template.DNSNames, template.IPAddresses = names, addresses
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	return a.sign(template)
}

// client makes a certificate that the API server takes for a user in groups.
func (a *authority) client(user string, groups ...string) (pair, error) {
	template, err := newTemplate(pkix.Name{CommonName: user, Organization: groups})
	if err != nil {
		return pair{}, err
	}
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return a.sign(template)
}

func (a *authority) sign(template *x509.Certificate) (pair, error) {
	fail := func(err error) (pair, error) {
		return pair{}, fmt.Errorf("make a certificate for %s: %w", template.Subject.CommonName, err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fail(err)
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		return fail(err)
	}
	keyPEM, err := privatePEM(key)
	if err != nil {
		return fail(err)
	}
	return pair{
		certificate: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		key:         keyPEM,
	}, nil
}

// newTemplate is valid for a day: longer than any test, and no use to anybody
// who finds it later.
func newTemplate(subject pkix.Name) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	return &x509.Certificate{
		Subject:      subject,
		SerialNumber: serial,
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.Add(24 * time.Hour),
	}, nil
}

// signingKeys makes the key pair that service account tokens are signed with.
func signingKeys() (private, public []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("make the key for service accounts: %w", err)
	}
	if private, err = privatePEM(key); err != nil {
		return nil, nil, fmt.Errorf("make the key for service accounts: %w", err)
	}
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, nil, fmt.Errorf("make the key for service accounts: %w", err)
	}
	return private, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), nil
}

func privatePEM(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// credentials are what the servers know each other by.
type credentials struct {
	authority *authority
	// folder holds everything below as files for the servers' flags.
	folder string
}

// newCredentials makes and writes the certificates and keys of one cluster.
func newCredentials(folder string) (*credentials, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("write certificates: %w", err)
	}
	ca, err := newAuthority("testcluster")
	if err != nil {
		return nil, err
	}
	// Requests signed by the front proxy name their user in headers, so its
	// authority must not be the one that signs users.
	frontCA, err := newAuthority("testcluster-front-proxy")
	if err != nil {
		return nil, err
	}
	server, err := ca.serving([]string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
		net.IPv4(127, 0, 0, 1), net.IPv4(127, 96, 0, 1))
	if err != nil {
		return nil, err
	}
	front, err := frontCA.client(frontProxy)
	if err != nil {
		return nil, err
	}
	private, public, err := signingKeys()
	if err != nil {
		return nil, err
	}
	c := &credentials{authority: ca, folder: folder}
	caKey, err := privatePEM(ca.key)
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{
		"ca.crt": ca.pem(), "ca.key": caKey, "front-proxy-ca.crt": frontCA.pem(),
		"apiserver.crt": server.certificate, "apiserver.key": server.key,
		"front-proxy.crt": front.certificate, "front-proxy.key": front.key,
		"service-accounts.key": private, "service-accounts.pub": public,
	} {
		if err := os.WriteFile(c.file(name), content, 0o600); err != nil {
			return nil, fmt.Errorf("write certificates: %w", err)
		}
	}
	return c, nil
}

func (c *credentials) file(name string) string { return filepath.Join(c.folder, name) }
