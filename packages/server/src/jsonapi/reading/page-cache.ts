import { createLru } from '@florin/contract/lru.ts';
import { createBatcher } from '../../platform/concurrency/batcher.ts';
import { entityTag } from '../etag.ts';

/** Maximum number of cached pages, and maximum bytes of one. */
const PAGES_MAX = 64;
const PAGE_BYTES_MAX = 512 * 1024;
/** Number of remembered requests. Only a page that is requested again is cached. */
const SEEN_MAX = 1_024;
/** A page that always changes is compared ever less often, but at least once in this many requests. */
const PAUSE_MAX = 32;

/** A rendered document. */
export interface RenderedDocument {
  readonly body: Buffer;
  /** Version of the record; absent for lists. */
  readonly version?: string | undefined;
  /** URI of the document's profile. */
  readonly profile?: string | undefined;
  /** Whether the document contains a secret, which no cache may store. */
  readonly secret?: boolean;
  /** The entity tag, if known without a checksum of the bytes. */
  readonly etag?: string;
}

/** Functions that read one page. */
export interface PageReading {
  /** Reads a text that changes whenever the rows of `render` change. */
  readonly readVersions: () => Promise<string>;
  readonly render: () => Promise<RenderedDocument>;
}

/** Caches documents of pages that clients poll. */
export interface PageCache {
  /** The current document of the page `key`: from the cache while its versions are unchanged. */
  get(key: string, reading: PageReading): Promise<RenderedDocument>;
}

type ReadPage = (reading: PageReading) => Promise<RenderedDocument>;

/** Creates an empty cache. */
export function createPageCache(): PageCache {
  const requestedKeys = createLru<true>(SEEN_MAX);
  const pages = createLru<ReadPage>(PAGES_MAX);
  return {
    get(key, reading) {
      if (pages.get(key) || requestedKeys.get(key))
        return pages.getOrCreate(key, createPage)(reading);
      requestedKeys.set(key, true);
      return reading.render();
    },
  };
}

/** One cached page. Concurrent requests share the next read. */
function createPage(): ReadPage {
  const readCached = createPageStore();
  return createBatcher({
    async run(readings: readonly PageReading[]) {
      // Waiting requests share a failure too, since separate reads would multiply the load.
      const outcome = await readCached(readings[0] as PageReading).catch((error: Error) => error);
      return readings.map(() => outcome);
    },
  });
}

/** Caches the last document of a page, and compares versions before it renders again. */
function createPageStore(): ReadPage {
  let cachedPage: { readonly versions: string; readonly document: RenderedDocument } | undefined;
  let changeCount = 0;
  let pause = 0;
  return async ({ readVersions, render }) => {
    if (pause > 0) {
      pause -= 1;
      return render();
    }
    // Reads versions before rows, so that a document is never older than its versions.
    const versions = await readVersions();
    if (cachedPage?.versions === versions) {
      changeCount = 0;
      return cachedPage.document;
    }
    changeCount = cachedPage ? changeCount + 1 : 0;
    const renderedPage = await render();
    const isStored = renderedPage.body.length <= PAGE_BYTES_MAX;
    pause = isStored ? Math.min(2 ** changeCount, PAUSE_MAX) - 1 : PAUSE_MAX;
    if (!isStored) return renderedPage;
    cachedPage = {
      versions,
      document: { ...renderedPage, etag: entityTag(renderedPage.body, renderedPage.version) },
    };
    return cachedPage.document;
  };
}
