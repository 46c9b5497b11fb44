import { createSocket, type RemoteInfo } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';
import { type Resolve, resolveByDnsServers } from '../../src/features/webhooks/sending/resolve.ts';

/** Addresses of a name, or another name that has them, at the `nth` query (from 0). Undefined gives no response. */
export type Zone = Readonly<Record<string, (nth: number) => readonly string[] | undefined>>;

export interface NameServer extends AsyncDisposable {
  /** Counts the queries for a name, of all record types. */
  countQueries(name: string): number;
  /** All addresses of a name, from this server only. */
  readonly resolve: Resolve;
}

const [A, CNAME, AAAA] = [1, 5, 28] as const;
const HEADER_BYTES = 12;

/** A test name server on a local UDP port. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const queries = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (query: Buffer, client: RemoteInfo) => {
    const { name, type, end } = parseQuestion(query);
    // A look-up sends one query per record type, so each type has its own count.
    const queryKey = `${name} ${type}`;
    const nth = queries.get(queryKey) ?? 0;
    queries.set(queryKey, nth + 1);
    const addresses = zone[name] ? zone[name](nth) : [];
    if (!addresses) return;
    const records = encodeRecords(addresses, type);
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const question = query.subarray(HEADER_BYTES, end);
    socket.send(Buffer.concat([header, question, ...records]), client.port, client.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    countQueries: (name) =>
      (queries.get(`${name} ${A}`) ?? 0) + (queries.get(`${name} ${AAAA}`) ?? 0),
    resolve: resolveByDnsServers(resolver),
    async [Symbol.asyncDispose]() {
      resolver.cancel();
      socket.close();
      await once(socket, 'close');
    },
  };
}

function parseQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Encodes records of the queried type, after the records with canonical names. */
function encodeRecords(values: readonly string[], type: number): Buffer[] {
  const POINTER_TO_QUESTION = Buffer.from([0xc0, HEADER_BYTES]);
  let owner: Buffer = POINTER_TO_QUESTION;
  return values.flatMap((value) => {
    if (!ipaddr.isValid(value)) {
      const target = encodeName(value);
      const record = encodeRecord(owner, CNAME, target);
      owner = target;
      return [record];
    }
    const bytes = Buffer.from(ipaddr.parse(value).toByteArray());
    return (bytes.length === 4) === (type === A) ? [encodeRecord(owner, type, bytes)] : [];
  });
}

function encodeRecord(owner: Buffer, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fields, data]);
}

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
