/** How long something must have been in plain sight before a press on it counts, in milliseconds. */
const SEEN_MS = 500;
/** The shortest that browsers allow for this kind of observation. */
const DELAY_MS = 100;

type TrackingInit = IntersectionObserverInit & { trackVisibility: boolean; delay: number };
type TrackedEntry = IntersectionObserverEntry & { readonly isVisible?: boolean };

/**
 * Tells whether the element has been in plain sight for half a second: nothing over it, not transparent, not moved
 * under the pointer (Intersection Observer v2). A browser without it relies on the policy of who may frame the form.
 */
export function watchVisibility(target: Element): () => boolean {
  let seen_since: number | undefined;
  let tracks = true;
  const init: TrackingInit = { threshold: 1, trackVisibility: true, delay: DELAY_MS };
  const observer = new IntersectionObserver((entries: TrackedEntry[]) => {
    const latest = entries.at(-1);
    tracks = latest?.isVisible !== undefined;
    seen_since = latest?.isVisible ? (seen_since ?? performance.now()) : undefined;
  }, init);
  observer.observe(target);
  return () => !tracks || (seen_since !== undefined && performance.now() - seen_since >= SEEN_MS);
}
