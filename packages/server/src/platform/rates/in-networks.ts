import { BlockList, isIP } from 'node:net';

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** Returns a test whether an address is in one of `networks`, each an address or CIDR. */
export function createNetworkTest(
  networks: readonly string[],
): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address = '') => isIP(address) !== 0 && list.check(address, familyOf(address));
}
