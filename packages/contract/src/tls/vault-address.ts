import type { TlsFiles } from './identity.ts';

/** Where a vault listens: on a Unix socket of this machine, or with mutual TLS. */
export type VaultAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'tls'; readonly host: string; readonly port: number };

/** The vaults of a server, and its certificate for those on other hosts. */
export interface VaultsConfig {
  readonly addresses: readonly VaultAddress[];
  readonly tls?: TlsFiles;
}

const HTTPS_PORT = 443;
const PORT_MAX = 65_535;
/** A host name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = String.raw`([a-z0-9._-]+|\[[0-9a-f:.]+\])`;
const HTTPS_PATTERN = new RegExp(String.raw`^https://${HOST}(?::(\d{1,5}))?/?$`, 'i');
const LISTEN_PATTERN = new RegExp(String.raw`^${HOST}:(\d{1,5})$`, 'i');

/** Parses `unix:/run/florin/vault.sock` or `https://vault.example:4700`. Undefined for anything else, plain TCP too. */
export function parseVaultAddress(text: string): VaultAddress | undefined {
  const [, path] = /^unix:(\/.+)$/.exec(text) ?? [];
  if (path) return { kind: 'socket', path };
  const place = toPlace(HTTPS_PATTERN.exec(text));
  return place && { kind: 'tls', ...place };
}

/** Parses a list of addresses, separated by commas. Undefined for an empty list, and where one of them is none. */
export function parseVaultAddresses(text: string): VaultAddress[] | undefined {
  const items = text.split(',').map((item) => item.trim());
  const addresses = items.filter(Boolean).map(parseVaultAddress);
  const known = addresses.filter((address) => address !== undefined);
  return known.length > 0 && known.length === addresses.length ? known : undefined;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Parses an address to listen on, such as `10.0.0.7:4700` or `[::]:4700`. Undefined for anything else. */
export const parseListenAddress = (text: string): Place | undefined =>
  toPlace(LISTEN_PATTERN.exec(text));

/** Sockets take IPv6 addresses without their brackets. */
function toPlace(match: RegExpExecArray | null): Place | undefined {
  const [, host, port = HTTPS_PORT] = match ?? [];
  if (!host || Number(port) > PORT_MAX) return undefined;
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

/** Text for logs and metrics. */
export const vaultAddressText = (address: VaultAddress): string =>
  address.kind === 'socket'
    ? `unix:${address.path}`
    : `https://${hostText(address.host)}:${address.port}`;

const hostText = (host: string): string => (host.includes(':') ? `[${host}]` : host);
