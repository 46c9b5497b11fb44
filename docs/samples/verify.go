package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"time"
)

var edgeSignature = regexp.MustCompile(`^t=(\d+),v3=([0-9a-f]{64})$`)

// verify reports whether the raw body was signed with the secret in the last five minutes.
func verify(body []byte, header, secret string) bool {
	match := edgeSignature.FindStringSubmatch(header)
	if match == nil {
		return false
	}
	seconds, _ := strconv.ParseInt(match[1], 10, 64)
	if age := time.Since(time.Unix(seconds, 0)).Abs(); age > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(match[1] + "."))
	mac.Write(body)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(match[2]))
}
