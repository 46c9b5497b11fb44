import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Resolve, resolveByMachine, resolveByServers } from './resolve.ts';

/** The address of a delivery is not on the public internet, or that of a machine's secrets. */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError';
  readonly code = 'address_refused';
}

/** The part of IPv6 that is given out (RFC 4291, 2.4); outside it hide IPv4 addresses in old notations. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is public unicast. An IPv4-mapped address counts as the one it maps. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

/** Where clouds tell machines their secrets, beside the link-local addresses; the first one is public unicast. */
const METADATA: ReadonlySet<string> = new Set(
  ['168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'].map((text) =>
    ipaddr.process(text).toString(),
  ),
);

/** Whether nobody receives webhooks there, in the sandbox either: a link-local address, or that of a cloud's metadata. */
function isForMachines(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.range() === 'linkLocal' || METADATA.has(address.toString());
}

/** Whose rules a webhook goes by: those of the sandbox are for people on their own machine. */
export type AddressRules = 'live' | 'sandbox';

/** The rules for webhooks of a mode, where the operator lets those of the sandbox go to `sandbox` addresses. */
export const rulesFor = (mode: 'live' | 'sandbox', sandbox: 'private' | 'public'): AddressRules =>
  sandbox === 'public' ? 'live' : mode;

const isAllowed = (rules: AddressRules, address: string): boolean =>
  !isForMachines(address) && (rules === 'sandbox' || isPublicAddress(address));

/** The ports below belong to other services, but for that of https. */
const LIVE_PORT_MIN = 1_024;

/**
 * Why a webhook may not go to `url` by these rules, as a sentence; undefined where it may. By those of the sandbox
 * it goes anywhere but to link-local and metadata addresses, so that people can test on their own machine.
 */
export function urlRefusal(text: string, rules: AddressRules): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return 'A webhook goes to an http or https address.';
  if (url.username || url.password) return 'The address of a webhook may not hold credentials.';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isForMachines(host)) return 'A webhook does not go to a link-local or metadata address.';
  if (rules === 'sandbox') return undefined;
  if (url.protocol !== 'https:') return 'The webhook must go to an https address.';
  if (isPrivateHost(host)) return 'The webhook must go to an address on the public internet.';
  if (url.port && Number(url.port) < LIVE_PORT_MIN) {
    return 'The webhook must go to port 443, or to one from 1024 on.';
  }
  return undefined;
}

/** Names that are never public (RFC 6761, RFC 6762, and .internal of ICANN). */
const PRIVATE_NAME = /(^|\.)(?:localhost|local|internal)\.?$/;

/** Of a host as `URL` writes it, which has turned every spelling of an IPv4 address into the usual one. */
const isPrivateHost = (host: string): boolean =>
  ipaddr.isValid(host) ? !isPublicAddress(host) : PRIVATE_NAME.test(host);

/**
 * A `lookup` for sockets that gives vetted addresses alone, so that what is checked is what is
 * connected to. One address that is not allowed refuses the whole name. Sockets do not ask for IP
 * literals: those are `urlRefusal`'s.
 */
export const createVettedLookup =
  (
    rules: AddressRules,
    resolve: Resolve = rules === 'live' ? resolveByServers() : resolveByMachine(),
  ): LookupFunction =>
  (hostname, options, done) =>
    resolve(hostname, { all: true }, (error, addresses) => {
      if (error) return done(error, []);
      if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(rules, address))) {
        return done(new AddressRefusedError('the name has an address that is not allowed'), []);
      }
      const [first] = addresses as [(typeof addresses)[0]];
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
