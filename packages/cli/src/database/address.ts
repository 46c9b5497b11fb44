import { parseDatabaseAddress } from '@florin/contract/database/address.ts';

/** URLs of an address, one per host; undefined if one is no URL of PostgreSQL. */
export function databaseUrlsOf(text: string): readonly URL[] | undefined {
  const urls = parseDatabaseAddress(text).urls.map((url) => URL.parse(url));
  const isUrl = (url: URL | null): url is URL =>
    url !== null && /^postgres(ql)?:$/.test(url.protocol);
  return urls.every(isUrl) ? urls : undefined;
}

/** The same address with another login. */
export function withDatabaseLogin(text: string, username: string, password: string): string {
  const { start, hosts, rest } = parseDatabaseAddress(text);
  const url = new URL(`${start}${hosts[0]}${rest}`);
  url.username = username;
  url.password = password;
  for (const name of ['user', 'password']) url.searchParams.delete(name);
  const changed = parseDatabaseAddress(url.href);
  return `${changed.start}${hosts.join(',')}${changed.rest}`;
}
