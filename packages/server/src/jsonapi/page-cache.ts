import { createLru } from '@florin/contract/lru.ts';
import { createBatcher } from '../platform/concurrency/batcher.ts';
import { entityTag } from './etag.ts';

/** Pages that are kept, and the largest one, in bytes. */
const PAGES_MAX = 64;
const PAGE_BYTES_MAX = 512 * 1024;
/** Pages that are remembered to have been asked for: only what is asked for again is worth keeping. */
const SEEN_MAX = 1_024;
/** A page that has always changed is compared less and less often, down to one time in this many. */
const PAUSE_MAX = 32;

/** A document, ready to send. */
export interface Rendered {
  readonly body: Buffer;
  /** The state of the one record that it shows. */
  readonly version?: string | undefined;
  /** URI of the profile that it follows. */
  readonly profile?: string | undefined;
  /** Whether it shows a secret, which no cache may store. */
  readonly secret?: boolean;
  /** Its entity tag, where that is known without looking at the bytes. */
  readonly etag?: string;
}

/** How one page is read. */
export interface PageReading {
  /** A text that is another one after every change of what `render` reads. */
  readonly readVersions: () => Promise<string>;
  readonly render: () => Promise<Rendered>;
}

/** Keeps documents of pages that are asked for again and again, as by programs that poll. */
export interface PageCache {
  /** The document under `key`, as of now: the one made before where its versions are still the same. */
  get(key: string, reading: PageReading): Promise<Rendered>;
}

type Ask = (reading: PageReading) => Promise<Rendered>;

/** Makes an empty one. */
export function createPageCache(): PageCache {
  const seen = createLru<true>(SEEN_MAX);
  const pages = createLru<Ask>(PAGES_MAX);
  return {
    get(key, reading) {
      if (pages.get(key) || seen.get(key)) return pages.getOrCreate(key, createPage)(reading);
      seen.set(key, true);
      return reading.render();
    },
  };
}

/** One page. Those who ask for it while it is being read share the next reading. */
function createPage(): Ask {
  const keep = createKeeping();
  return createBatcher({
    async run(readings: readonly PageReading[]) {
      // A failure is shared too: to read apart for each who asks would cost as much as they are many.
      const outcome = await keep(readings[0] as PageReading).catch((error: Error) => error);
      return readings.map(() => outcome);
    },
  });
}

/** Keeps the last document of a page, and compares before it reads anew. */
function createKeeping(): Ask {
  let kept: { readonly versions: string; readonly rendered: Rendered } | undefined;
  let changes = 0;
  let pause = 0;
  return async ({ readVersions, render }) => {
    if (pause > 0) {
      pause -= 1;
      return render();
    }
    // The versions are read before the rows, so that the document is never older than they say.
    const versions = await readVersions();
    if (kept?.versions === versions) {
      changes = 0;
      return kept.rendered;
    }
    changes = kept ? changes + 1 : 0;
    const made = await render();
    const isKept = made.body.length <= PAGE_BYTES_MAX;
    pause = isKept ? Math.min(2 ** changes, PAUSE_MAX) - 1 : PAUSE_MAX;
    if (!isKept) return made;
    kept = { versions, rendered: { ...made, etag: entityTag(made.body, made.version) } };
    return kept.rendered;
  };
}
