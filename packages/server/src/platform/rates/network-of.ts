import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_PARTS = 4;
const IPV6_SITE_PARTS = 3;
const IPV4_PREFIX_PARTS = 3;

/** An IPv4 address, or the /64 of an IPv6 address, because one owner usually has the complete /64. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts.slice(0, IPV6_NETWORK_PARTS).join(':');
}

/** The /48 of an IPv6 address, which a provider may assign to one customer; undefined for other text. */
export function siteOf(ip: string): string | undefined {
  const address = ipaddr.isValid(ip) ? ipaddr.process(ip) : undefined;
  if (!(address instanceof ipaddr.IPv6)) return undefined;
  return address.parts.slice(0, IPV6_SITE_PARTS).join(':');
}

/** A network too large to identify a person: the /24 of IPv4, the /48 of IPv6. Undefined for other text. */
export function prefixOf(ip: string): string | undefined {
  const site = siteOf(ip);
  if (site !== undefined) return `${site}::/48`;
  const network = ipaddr.isValid(ip) ? networkOf(ip).split('.') : [];
  return network.length > 0 ? `${network.slice(0, IPV4_PREFIX_PARTS).join('.')}.0/24` : undefined;
}
