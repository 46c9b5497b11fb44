import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The address of a live delivery is not on the public internet. */
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

/**
 * Why a webhook of `mode` may not go to `url`, as a sentence; undefined where it may. Sandbox
 * subscriptions go anywhere but to link-local addresses, so that people can test on their own machine.
 */
export function urlRefusal(text: string, mode: 'live' | 'sandbox'): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return 'A webhook goes to an http or https address.';
  if (url.username || url.password) return 'The address of a webhook may not hold credentials.';
  if (isLinkLocal(url.hostname)) return 'A webhook does not go to a link-local address.';
  if (mode === 'sandbox') return undefined;
  if (url.protocol !== 'https:') return 'A live webhook goes to an https address.';
  if (isPrivateHost(url.hostname))
    return 'A live webhook goes to an address on the public internet.';
  return undefined;
}

/** Where clouds keep the metadata of their machines; nobody receives webhooks there. */
function isLinkLocal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'linkLocal';
}

/** Of a host as `URL` writes it, which has turned every spelling of an IPv4 address into the usual one. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) return !isPublicAddress(host);
  return /(^|\.)localhost\.?$/.test(host);
}

type Resolve = (
  hostname: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A `lookup` for sockets that gives vetted addresses alone, so that what is checked is what is
 * connected to. One address that is not public refuses the whole name. Sockets do not ask for IP
 * literals: those are `urlRefusal`'s.
 */
export const createVettedLookup =
  (resolve: Resolve = lookup): LookupFunction =>
  (hostname, options, done) =>
    resolve(hostname, { all: true }, (error, addresses) => {
      if (error) return done(error, []);
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
        return done(new AddressRefusedError('the name has an address that is not public'), []);
      }
      const [first] = addresses as [LookupAddress];
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
