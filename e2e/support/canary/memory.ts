import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import type { Tracer } from './traces.ts';

const CHUNK = 16 * 1024 ** 2;
const EMPTY_PAGE = Buffer.alloc(4_096);

/** Searches the writable memory of a running process. Undefined if the system does not permit it. */
export function searchMemory(pid: number, tracer: Tracer): string[] | undefined {
  if (process.platform !== 'linux') return undefined;
  let memory: number;
  try {
    memory = openSync(`/proc/${pid}/mem`, 'r');
  } catch {
    return undefined;
  }
  const found = new Set<string>();
  for (const chunk of chunksOf(pid, memory))
    for (const trace of tracer.find(chunk)) found.add(trace);
  closeSync(memory);
  return [...found];
}

function* chunksOf(pid: number, memory: number): Generator<Buffer> {
  const buffer = Buffer.alloc(CHUNK);
  for (const [from, to] of writableRanges(pid)) {
    for (let at = from; at < to; at += BigInt(CHUNK)) {
      const length = Number(to - at < CHUNK ? to - at : BigInt(CHUNK));
      const read = readOr0(memory, buffer, length, at);
      yield* filledParts(buffer.subarray(0, read));
    }
  }
}

/** Yields runs of pages that are not empty. Most of the memory that V8 reserves is. */
function* filledParts(bytes: Buffer): Generator<Buffer> {
  const { length: page } = EMPTY_PAGE;
  let start = 0;
  for (let at = 0; at < bytes.length; at += page) {
    if (!bytes.subarray(at, at + page).equals(EMPTY_PAGE)) continue;
    if (at > start) yield bytes.subarray(start, at);
    start = at + page;
  }
  if (bytes.length > start) yield bytes.subarray(start);
}

function writableRanges(pid: number): [bigint, bigint][] {
  const lines = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, from, to] = /^([\da-f]+)-([\da-f]+) rw/.exec(line) ?? [];
    return from && to ? [[BigInt(`0x${from}`), BigInt(`0x${to}`)] as [bigint, bigint]] : [];
  });
}

/** Returns 0 for a range that was unmapped after it was listed. */
function readOr0(memory: number, buffer: Buffer, length: number, position: bigint): number {
  try {
    return readSync(memory, buffer, 0, length, position);
  } catch {
    return 0;
  }
}
