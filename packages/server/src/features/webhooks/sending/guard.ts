import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Resolve, resolveByDnsServers, resolveBySystem } from './resolve.ts';

/**
 * The address of a delivery is not on the public internet, or belongs to a cloud's metadata
 * service.
 */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError';
  readonly code = 'address_refused';
}

/**
 * Allocated part of IPv6 (RFC 4291, 2.4). Addresses outside may contain IPv4 addresses in old
 * notations.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is public unicast. An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

/** Metadata services of clouds that are not link-local. The first address is public unicast. */
const METADATA: ReadonlySet<string> = new Set(
  ['168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'].map((text) =>
    ipaddr.process(text).toString(),
  ),
);

/**
 * Whether an address is link-local or a metadata service. No webhook may reach these, not even in
 * the sandbox.
 */
function isInternal(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.range() === 'linkLocal' || METADATA.has(address.toString());
}

/** Rules for webhook addresses. Sandbox rules allow receivers on a developer's own computer. */
export type AddressRules = 'live' | 'sandbox';

/** Rules of a mode. `sandbox` is the operator's setting for sandbox webhooks. */
export const rulesFor = (mode: 'live' | 'sandbox', sandbox: 'private' | 'public'): AddressRules =>
  sandbox === 'public' ? 'live' : mode;

const isAllowed = (rules: AddressRules, address: string): boolean =>
  !isInternal(address) && (rules === 'sandbox' || isPublicAddress(address));

/** Lowest allowed port besides 443. Lower ports belong to other services. */
const LIVE_PORT_MIN = 1_024;

/**
 * Reason why webhooks may not be sent to `url`, as a sentence; undefined if they may. Sandbox rules
 * refuse only link-local and metadata addresses, so that developers can test locally.
 */
export function urlRefusal(text: string, rules: AddressRules): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return 'The URL of a webhook must be http or https.';
  if (url.username || url.password) return 'The URL of a webhook must not contain credentials.';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isInternal(host)) return 'The URL of a webhook must not be a link-local or metadata address.';
  if (rules === 'sandbox') return undefined;
  if (url.protocol !== 'https:') return 'The URL of a webhook must be https.';
  if (isPrivateHost(host)) return 'The URL of a webhook must have a public address.';
  if (url.port && Number(url.port) < LIVE_PORT_MIN) {
    return 'The URL of a webhook must have port 443, or a port from 1024.';
  }
  return undefined;
}

/** Names that are never public: RFC 6761, RFC 6762, and ICANN's `.internal`. */
const PRIVATE_NAME = /(^|\.)(?:localhost|local|internal)\.?$/;

/**
 * Whether a host is private. Requires a host from `URL`, which normalizes every notation of IPv4
 * addresses.
 */
const isPrivateHost = (host: string): boolean =>
  ipaddr.isValid(host) ? !isPublicAddress(host) : PRIVATE_NAME.test(host);

/**
 * Creates a socket `lookup` that returns checked addresses only, so that sockets connect to the checked address. One
 * forbidden address refuses the name. Sockets skip `lookup` for IP literals; `urlRefusal` checks those.
 */
export const createCheckedLookup =
  (
    rules: AddressRules,
    resolve: Resolve = rules === 'live' ? resolveByDnsServers() : resolveBySystem(),
  ): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(rules, address))) {
        return callback(new AddressRefusedError('the name has an address that is not allowed'), []);
      }
      const [firstAddress] = addresses as [(typeof addresses)[0]];
      if (options.all) callback(null, addresses);
      else callback(null, firstAddress.address, firstAddress.family);
    });
