#!/bin/sh
# Creates the secrets of compose.yaml in ./secrets, each readable by the user of its service alone. Run it once, as root.
set -eu
cd "$(dirname "$0")"
[ "$(id -u)" = 0 ] || { echo 'Run this as root: each file gets the user of its service.' >&2; exit 1; }
[ ! -e secrets ] || { echo 'secrets exists. Its passwords are those of the database: keep it.' >&2; exit 1; }
directory=$(mktemp -d ./secrets.XXXXXX)
trap 'rm -rf "$directory"' EXIT
umask 077

password() { openssl rand -hex 24; }
postgres=$(password) owner=$(password) server=$(password) vault=$(password)

# Writes standard input as a secret of a user.
secret() {
  cat > "$directory/$2"
  chown "$1" "$directory/$2"
  chmod 400 "$directory/$2"
}
url() { printf 'postgresql://%s:%s@localhost/%s?host=/run/postgresql' "$1" "$2" "$3"; }

printf %s "$postgres" | secret 999 postgres-password
secret 999 init.sql <<SQL
create role florin_owner login password '$owner';
create role florin_server login password '$server';
create role florin_vault login password '$vault';
create database florin owner florin_owner;
create database florin_vault owner florin_owner;
revoke all on database florin, florin_vault from public;
grant connect on database florin to florin_server;
grant connect on database florin_vault to florin_vault;
SQL
url florin_owner "$owner" florin | secret 10003 owner-database-url
url florin_owner "$owner" florin_vault | secret 10003 vault-owner-database-url
url florin_vault "$vault" florin_vault | secret 10002 vault-database-url
url florin_server "$server" florin | secret 10001 database-url
openssl rand -base64 32 | secret 10001 secrets-key

chmod 711 "$directory"
mv "$directory" secrets
trap - EXIT
echo 'Created secrets/. Keep a copy of secrets/secrets-key apart from the database.'
