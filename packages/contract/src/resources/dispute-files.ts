import { defineResource, timestamps } from './define-resource.ts';

/** Maximum size of a file: 5 MB. */
export const DISPUTE_FILE_BYTES_MAX = 5_000_000;
/** Maximum number of files of a dispute, not counting removed ones. */
export const FILES_PER_DISPUTE_MAX = 10;

/** Media types of files, each recognised by the content. */
export const disputeFileTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type DisputeFileType = (typeof disputeFileTypes)[number];

/** Facts that a file can prove. */
export const disputeFilePurposes = [
  'product_description',
  'customer_communication',
  'shipping_documentation',
  'refund_policy',
  'receipt',
  'recurring_agreement',
  'uncategorized_file',
] as const;
export type DisputeFilePurpose = (typeof disputeFilePurposes)[number];

const FILE_NAME_MAX = 100;

export const disputeFiles = defineResource({
  type: 'dispute_files',
  summary: 'A file that proves something in a dispute',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch'],
  actions: {
    remove: {
      summary: 'Remove the file',
      description:
        'Deletes the content. Possible while the dispute is `needs_response`; afterwards 405. Removing twice has no effect.',
    },
  },
  contents: {
    parent: 'disputes',
    path: 'files',
    media_types: disputeFileTypes,
    bytes_max: DISPUTE_FILE_BYTES_MAX,
    query: {
      file_name: {
        type: 'string',
        create: 'required',
        min: 1,
        max: FILE_NAME_MAX,
        description: 'Name of the file. A folder in it is left out.',
      },
      purpose: {
        type: 'enum',
        values: disputeFilePurposes,
        create: 'required',
        description: 'What the file proves.',
      },
    },
    upload_summary: 'Upload a file to a dispute',
    upload_description: `The body is the file: a PDF, PNG or JPEG of at most ${DISPUTE_FILE_BYTES_MAX} bytes. The content decides its type, not the header. The dispute must be \`needs_response\`, and has at most ${FILES_PER_DISPUTE_MAX} files. A processor may accept fewer types and sizes; the error names them.`,
  },
  fields: {
    file_name: { type: 'string', always_set: true, opaque: true, max: FILE_NAME_MAX },
    purpose: {
      type: 'enum',
      values: disputeFilePurposes,
      always_set: true,
      description: 'What the file proves.',
    },
    content_type: {
      type: 'enum',
      values: disputeFileTypes,
      always_set: true,
      opaque: true,
      description: 'Media type, recognised by the content.',
    },
    size_bytes: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Size of the content in bytes.',
    },
    sha256_hash: {
      type: 'string',
      always_set: true,
      opaque: true,
      description: 'SHA-256 of the content, in hexadecimal.',
    },
    removed_at: {
      type: 'timestamp',
      description:
        'Time at which the content was deleted: by `remove`, or 540 days after the dispute closed.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    dispute: { to: 'disputes' },
  },
});
