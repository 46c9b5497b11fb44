import type { DisputeFileType } from '@florin/contract/resources/dispute-files.ts';
import { fileTypes } from './file-types.ts';

/** Controls, invisible marks that reverse a text, and characters that file systems refuse. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu;

/** Name of a file without folders and unsafe characters, with the extension of its type. Empty if nothing is left. */
export function safeFileName(
  sent: string,
  content_type: DisputeFileType,
  length_max: number,
): string {
  const { extensions } = fileTypes[content_type];
  const base = (sent.normalize('NFC').split(/[/\\]/).at(-1) ?? '')
    .replace(UNSAFE, '')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  if (base === '') return '';
  const extension = /\.([a-z0-9]+)$/i.exec(base)?.[1]?.toLowerCase() ?? '';
  const isOwn = extensions.includes(extension);
  const suffix = isOwn ? `.${extension}` : `.${extensions[0]}`;
  const stem = isOwn ? base.slice(0, -suffix.length) : base;
  return `${
    [...stem]
      .slice(0, length_max - suffix.length)
      .join('')
      .trimEnd() || 'file'
  }${suffix}`;
}

/** `Content-Disposition` that saves a file and never shows it (RFC 6266). */
export function attachmentOf(file_name: string): string {
  const ascii = file_name.replace(/[^\w. ()-]/g, '_');
  const encoded = encodeURIComponent(file_name).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
