package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// certificate makes one for this machine and writes it to a file that proxies
// trust.
func certificate(dir string) (tls.Certificate, string, error) {
	var none tls.Certificate
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return none, "", err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "load"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return none, "", err
	}
	file := filepath.Join(dir, "cert.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		return none, "", err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file, nil
}

// tlsConfig offers only one protocol, so that callers need no setting.
func tlsConfig(pair tls.Certificate, protocol string) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{protocol}, MinVersion: tls.VersionTLS13}
}
