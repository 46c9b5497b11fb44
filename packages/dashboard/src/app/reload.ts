/** Address that was reloaded last, so that a page that still fails is reloaded once. */
const RELOADED_AS = 'florin.reloaded';
let keptLoads = 0;

/**
 * Waits for downloads without a reload of the page if they fail: somebody may be typing. The caller reports the failure.
 */
export async function loadWithoutReload<T extends readonly unknown[]>(start: () => T) {
  keptLoads += 1;
  const loading = start();
  // A second download may fail after the first.
  await Promise.allSettled(loading);
  keptLoads -= 1;
  return Promise.all(loading);
}

/** Reloads a page that was opened before an update of the server and requests deleted files. */
export function reloadOutdated(): void {
  addEventListener('vite:preloadError', () => {
    if (keptLoads > 0 || sessionStorage.getItem(RELOADED_AS) === location.href) return;
    sessionStorage.setItem(RELOADED_AS, location.href);
    location.reload();
  });
}
