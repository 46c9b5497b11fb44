import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sendVaultCommand } from './vault-command.ts';

/** Sends a command to a vault whose answer breaks in this way. Returns its sentences and error. */
async function sendTo(answer: (response: ServerResponse) => void) {
  const directory = mkdtempSync(join(tmpdir(), 'florin-cli-'));
  const socketPath = join(directory, 'admin.sock');
  const server = createServer((_request, response) => answer(response));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const sentences: string[] = [];
  const command = { path: '/rotate', body: { key: 'root' } };
  const end = await sendVaultCommand(
    socketPath,
    command,
    (sentence) => sentences.push(sentence),
    200,
  ).catch((error: Error) => `${error.name}: ${error.message}`);
  return { sentences, end };
}

const BEGUN = '{"text":"Rewrapped 5 keys."}\n';
const REPEAT = /PlainFailure: The vault .* may have taken effect in part\. .* repeat the command/;

it.each<[how: string, answer: (response: ServerResponse) => void]>([
  ['breaks the connection', (response) => response.write(BEGUN, () => response.destroy())],
  ['ends without a result', (response) => response.end(BEGUN)],
  ['falls silent', (response) => response.write(BEGUN)],
])('a vault that %s ends the command with the next step', async (_how, answer) => {
  expect(await sendTo(answer)).toEqual({
    sentences: ['Rewrapped 5 keys.'],
    end: expect.stringMatching(REPEAT),
  });
});

it('a vault that never answers ends the command too', async () => {
  expect(await sendTo(() => {})).toEqual({
    sentences: [],
    end: expect.stringMatching(/silent for 0\.2 s/),
  });
});

it('a refusal of the body is printed, and a complete answer is the result', async () => {
  expect(
    await sendTo((response) =>
      response.writeHead(400).end('{"error":"bad_request","detail":"No."}'),
    ),
  ).toEqual({ sentences: ['No.'], end: { error: 'bad_request', ok: false } });
  expect(await sendTo((response) => response.end(`${BEGUN}\n{"ok":true}\n`))).toEqual({
    sentences: ['Rewrapped 5 keys.'],
    end: { ok: true },
  });
});
