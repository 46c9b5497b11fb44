import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import type { Tracer } from './traces.ts';

const CHUNK_BYTES = 16 * 1024 ** 2;
const EMPTY_PAGE = Buffer.alloc(4_096);

/** Searches the writable memory of a running process. Undefined if the system does not permit it. */
export function searchMemory(pid: number, tracer: Tracer): string[] | undefined {
  if (process.platform !== 'linux') return undefined;
  let memoryFd: number;
  try {
    memoryFd = openSync(`/proc/${pid}/mem`, 'r');
  } catch {
    return undefined;
  }
  const traces = new Set<string>();
  for (const chunk of chunksOf(pid, memoryFd))
    for (const trace of tracer.find(chunk)) traces.add(trace);
  closeSync(memoryFd);
  return [...traces];
}

function* chunksOf(pid: number, memoryFd: number): Generator<Buffer> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (const [from, to] of writableRanges(pid)) {
    for (let at = from; at < to; at += BigInt(CHUNK_BYTES)) {
      const length = Number(to - at < CHUNK_BYTES ? to - at : BigInt(CHUNK_BYTES));
      const bytesRead = readOrZero(memoryFd, buffer, length, at);
      yield* filledRuns(buffer.subarray(0, bytesRead));
    }
  }
}

/** Yields runs of pages with content. Most of the memory that V8 reserves is empty. */
function* filledRuns(bytes: Buffer): Generator<Buffer> {
  const { length: pageBytes } = EMPTY_PAGE;
  let start = 0;
  for (let at = 0; at < bytes.length; at += pageBytes) {
    if (!bytes.subarray(at, at + pageBytes).equals(EMPTY_PAGE)) continue;
    if (at > start) yield bytes.subarray(start, at);
    start = at + pageBytes;
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
function readOrZero(memoryFd: number, buffer: Buffer, length: number, position: bigint): number {
  try {
    return readSync(memoryFd, buffer, 0, length, position);
  } catch {
    return 0;
  }
}
