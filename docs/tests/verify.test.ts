import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sign } from '../../packages/webhooks/src/sign.ts';
import { languages } from '../src/samples/languages.ts';
import { runtimeOf } from '../src/samples/program.ts';
import { SAMPLES } from '../src/site/directives.ts';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBzYW1wbGVz';
const BODY = '{"data":{"type":"events","attributes":{"name":"Zoë"}}}';

/** Appends a call with values of the environment. The program prints true or false. */
const calls: Readonly<Record<string, (source: string) => string>> = {
  ts: (source) =>
    `${source}\nconst { BODY = '', HEADER = '', SECRET = '' } = process.env;\nconsole.log(verify(BODY, HEADER, SECRET));`,
  py: (source) =>
    `${source}\nfrom os import environ as e\nprint(str(verify(e["BODY"].encode(), e["HEADER"], e["SECRET"])).lower())`,
  php: (source) =>
    `${source}\necho var_export(verify(getenv('BODY'), getenv('HEADER'), getenv('SECRET')), true);`,
  go: (source) =>
    `${source.replace('import (', 'import (\n"fmt"\n"os"')}\nfunc main() { fmt.Println(verify([]byte(os.Getenv("BODY")), os.Getenv("HEADER"), os.Getenv("SECRET"))) }`,
  rb: (source) => `${source}\nputs verify(ENV["BODY"], ENV["HEADER"], ENV["SECRET"])`,
};

const folder = mkdtempSync(join(tmpdir(), 'florin-verify-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const samples = languages.flatMap((language) => {
  const addCall = calls[language.extension];
  return addCall ? [{ title: language.title, language, addCall }] : [];
});

describe.each(samples)(
  'the sample that verifies a signature in $title',
  ({ language, addCall }) => {
    const [command = '', ...args] = runtimeOf(language).command;
    const isInstalled = spawnSync('which', [command]).status === 0;
    const file = join(folder, `verify.${language.extension}`);
    const run = (header = '', body = BODY) =>
      execFileSync(command, [...args, file], {
        encoding: 'utf8',
        env: { ...process.env, BODY: body, HEADER: header, SECRET },
      }).trim();

    it.skipIf(!isInstalled)('accepts what Florin signs, and refuses anything else', async () => {
      const source = readFileSync(join(SAMPLES, `verify.${language.extension}`), 'utf8');
      writeFileSync(file, addCall(source));
      const header = (await sign(BODY, SECRET, { id: 'msg_1' }))['edge-signature'];
      const old = (await sign(BODY, SECRET, { id: 'msg_1', now: new Date(Date.now() - 600_000) }))[
        'edge-signature'
      ];
      expect(run(header)).toBe('true');
      expect(run(header, `${BODY} `)).toBe('false');
      expect(run(old)).toBe('false');
      expect(run('t=1,v3=')).toBe('false');
    });
  },
);
