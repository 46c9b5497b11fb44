import { describe, expect, it } from 'vitest';
import { writeMultipart } from './multipart.ts';

const content = Buffer.from([0, 13, 10, 45, 45, 255]);
const file = {
  file_name: 'receipt.pdf',
  content_type: 'application/pdf',
  content: content.toString('base64'),
};

describe('a form with a file', () => {
  it('is read by the platform’s own parser, byte for byte', async () => {
    const { contentType, bytes } = writeMultipart({ purpose: 'dispute_evidence', file });
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': contentType },
    }).formData();
    const sent = form.get('file') as File;
    expect([form.get('purpose'), sent.name, sent.type]).toEqual([
      'dispute_evidence',
      'receipt.pdf',
      'application/pdf',
    ]);
    expect(Buffer.from(await sent.arrayBuffer())).toEqual(content);
  });

  it('has another boundary each time', () => {
    expect(writeMultipart({ file }).contentType).not.toBe(writeMultipart({ file }).contentType);
  });

  it.each([
    ['that is a list', [file]],
    ['whose name breaks its header', { 'a"\r\nX: 1': 'b' }],
    ['whose file name breaks its header', { file: { ...file, file_name: 'a"\r\nX: 1' } }],
    ['whose type breaks its header', { file: { ...file, content_type: 'a/b\r\nX: 1' } }],
    ['whose content is no base64', { file: { ...file, content: '<pdf>' } }],
    ['whose member is null', { file: null }],
    ['with too many members', Object.fromEntries([...'abcdefghi'].map((name) => [name, '1']))],
  ])('is refused %s', (_, body) => {
    expect(() => writeMultipart(body)).toThrow('body_unusable');
  });
});
