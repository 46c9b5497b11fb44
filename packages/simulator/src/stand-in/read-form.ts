import { BadRequest } from '../parse.ts';

/** File of a multipart body. */
export interface FormFile {
  readonly name: string;
  readonly content: Buffer;
}

/** Whether a body of this media type is a form with files. */
export const isMultipart = (contentType = ''): boolean =>
  contentType.startsWith('multipart/form-data');

/** Members of a multipart body: texts, and files as `FormFile`. Throws `BadRequest` if it is not readable. */
export async function readForm(
  body: Buffer,
  contentType: string,
): Promise<Readonly<Record<string, string | FormFile>>> {
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
  const form = await response.formData().catch(() => {
    throw new BadRequest('The body is not a form.');
  });
  const members = await Promise.all(
    [...form].map(async ([name, value]) => {
      if (typeof value === 'string') return [name, value] as const;
      const content = Buffer.from(await value.arrayBuffer());
      return [name, { name: value.name, content }] as const;
    }),
  );
  return Object.fromEntries(members);
}
