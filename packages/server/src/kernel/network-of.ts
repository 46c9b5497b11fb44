import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_PARTS = 4;

/** An IPv4 address, or the /64 of an IPv6 one: whoever has one address there has all of them. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts.slice(0, IPV6_NETWORK_PARTS).join(':');
}
