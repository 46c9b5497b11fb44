import { describe, expect, it } from 'vitest';
import { jpegBytes, pdfBytes, pngBytes } from '../../../../tests/support/evidence-files.ts';
import { attachmentOf, safeFileName } from './file-name.ts';
import { recogniseFile } from './recognise-file.ts';

const join = (...parts: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const page = '<html><script>alert(1)</script></html>';

describe('a file is recognised by its content', () => {
  it.each([
    ['a PDF', pdfBytes(), 'application/pdf'],
    ['a PDF of version 2.0', join('%PDF-2.0\r\n', pdfBytes().subarray(9)), 'application/pdf'],
    ['a PNG', pngBytes(), 'image/png'],
    ['a PNG with a text', pngBytes({ text: 'Receipt 17' }), 'image/png'],
    ['a JPEG', jpegBytes(), 'image/jpeg'],
    ['a PDF whose image has /JS by chance', pdfBytes('\u0001/JS\u0002~/JS&'), 'application/pdf'],
    ['a progressive JPEG', jpegBytes('ffc2000b080001000101011100'), 'image/jpeg'],
  ])('%s', (_, bytes, content_type) => {
    expect(recogniseFile(bytes)).toEqual({ content_type });
  });
});

describe('a file is refused', () => {
  it.each([
    ['that is empty', Buffer.alloc(0), /neither PDF/],
    ['that is a web page', join(page), /neither PDF/],
    [
      'that is a picture of vectors',
      join('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      /neither PDF/,
    ],
    ['that is a GIF', join('GIF89a'), /neither PDF/],
    ['that is a ZIP', Buffer.from('504b0304', 'hex'), /neither PDF/],
    ['whose PDF comes after a page', join(page, pdfBytes()), /neither PDF/],
    [
      'whose PDF has a page in its head',
      join('%PDF-1.4\n', page, pdfBytes().subarray(9)),
      /web page/,
    ],
    ['whose PDF is followed by a page', join(pdfBytes(), page), /web page|after its end/],
    ['whose PDF is cut off', pdfBytes().subarray(0, 80), /cut off/],
    ['whose PDF has an unknown version', join('%PDF-9.9\n', pdfBytes().subarray(9)), /header/],
    ['whose PDF has a password', pdfBytes('/Encrypt 5 0 R'), /password/],
    ['whose PDF runs a program', pdfBytes('/OpenAction <</S /JavaScript /JS (x)>>'), /programs/],
    ['whose PDF plays a program', pdfBytes('/A <</S /Rendition /JS 9 0 R>>'), /programs/],
    ['whose PNG is cut off', pngBytes().subarray(0, -12), /cut off/],
    ['whose PNG is followed by a ZIP', join(pngBytes(), 'PK'), /after its end/],
    ['whose PNG has another checksum', join(pngBytes().fill(1, 20, 21)), /damaged/],
    ['whose PNG has no width', pngBytes({ width: 0 }), /header/],
    ['whose PNG has a page as text', pngBytes({ text: page }), /web page/],
    ['whose JPEG is cut off', jpegBytes().subarray(0, -2), /cut off/],
    ['whose JPEG is followed by a page', join(jpegBytes(), page), /web page|after its end/],
    ['whose JPEG has no frame', jpegBytes(''), /no image/],
    ['whose JPEG has no size', jpegBytes('ffc0000b080000000001011100'), /no image/],
    ['whose JPEG has a segment without end', Buffer.from('ffd8ffe0fffffffffffd9', 'hex'), /./],
  ])('%s', (_, bytes, fault) => {
    expect(recogniseFile(bytes)).toEqual({ fault: expect.stringMatching(fault) });
  });
});

describe('the name of a file', () => {
  it.each([
    ['receipt.pdf', 'application/pdf', 'receipt.pdf'],
    ['../../etc/passwd', 'application/pdf', 'passwd.pdf'],
    ['C:\\Temp\\Scan.JPEG', 'image/jpeg', 'Scan.jpeg'],
    ['invoice.html', 'application/pdf', 'invoice.html.pdf'],
    ['gpj.exe\u202Efdp', 'application/pdf', 'gpj.exefdp.pdf'],
    ['a\r\nSet-Cookie: x=1.png', 'image/png', 'aSet-Cookie x=1.png'],
    ['...', 'image/png', ''],
    ['/', 'image/png', ''],
    ['.png', 'image/png', 'png.png'],
    ['Rechnung Größe.pdf', 'application/pdf', 'Rechnung Größe.pdf'],
    [`${'x'.repeat(300)}.pdf`, 'application/pdf', `${'x'.repeat(96)}.pdf`],
    [`${'😀'.repeat(98)}.pdf`, 'application/pdf', `${'😀'.repeat(96)}.pdf`],
  ] as const)('%j becomes a safe name', (sent, type, safe) => {
    expect(safeFileName(sent, type, 100)).toBe(safe);
    if (safe)
      expect(attachmentOf(safe)).toMatch(
        /^attachment; filename="[\w. ()-]+"; filename\*=UTF-8''[\w.%~-]+$/,
      );
  });
});
