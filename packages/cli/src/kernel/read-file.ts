import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf } from '../database/client.ts';
import { PlainFailure } from './plain-failure.ts';

/** Reads a file that a command line names; `-` is standard input. `option` names it in messages. */
export type FileReader = (file: string, option: string, mebibytes_max?: number) => Promise<string>;

const MEBIBYTE = 1024 ** 2;

/** Creates a reader of files of at most 1 MiB, unless a caller allows more, and of standard input once. Throws `PlainFailure`. */
export function createFileReader(stdin: AsyncIterable<unknown> = process.stdin): FileReader {
  let isStdinRead = false;
  return async (file, option, mebibytes_max = 1) => {
    if (file === '-' && isStdinRead)
      throw new PlainFailure(`${option}: standard input holds one file only. Name a file instead.`);
    if (file === '-') isStdinRead = true;
    const stream = file === '-' ? stdin : createReadStream(resolve(file));
    const text = await readLimited(stream, option, mebibytes_max);
    if (text) return text;
    throw new PlainFailure(`${option}: the file is empty.`);
  };
}

async function readLimited(
  stream: AsyncIterable<unknown>,
  option: string,
  mebibytes_max: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > mebibytes_max * MEBIBYTE)
        throw new PlainFailure(`${option}: the file is above ${mebibytes_max} MiB.`);
    }
  } catch (cause) {
    if (cause instanceof PlainFailure) throw cause;
    throw new PlainFailure(
      `${option}: the file cannot be read (${codeOf(cause)}). Give the path of a file, from ${process.cwd()}, or - for standard input.`,
      { cause },
    );
  }
  return Buffer.concat(chunks).toString('utf8');
}
