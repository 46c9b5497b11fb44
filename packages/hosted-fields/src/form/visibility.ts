/** How long something must have been in plain sight before a press on it counts, in milliseconds. */
const SEEN_MS = 500;
/** The shortest that browsers allow for this kind of observation. */
export const DELAY_MS = 100;

type TrackingInit = IntersectionObserverInit & { trackVisibility: boolean; delay: number };
type TrackedEntry = IntersectionObserverEntry & { readonly isVisible?: boolean };

/** `new`: nothing has hidden it since it is there, which is not yet for half a second. */
export type Sight = 'seen' | 'new' | 'hidden';

/**
 * Tells whether the element has been in plain sight for half a second: nothing over it, not transparent, not moved
 * under the pointer (Intersection Observer v2). A browser without it relies on the policy of who may frame the form.
 */
export function watchVisibility(target: Element): () => Sight {
  let seen_since: number | undefined;
  let tracks = true;
  let is_new = true;
  const init: TrackingInit = { threshold: 1, trackVisibility: true, delay: DELAY_MS };
  const observer = new IntersectionObserver((entries: TrackedEntry[]) => {
    const latest = entries.at(-1);
    tracks = latest?.isVisible !== undefined;
    is_new &&= latest?.isVisible === true;
    seen_since = latest?.isVisible ? (seen_since ?? performance.now()) : undefined;
  }, init);
  observer.observe(target);
  return () => {
    const seen = seen_since !== undefined && performance.now() - seen_since >= SEEN_MS;
    if (!tracks || seen) return 'seen';
    return is_new ? 'new' : 'hidden';
  };
}
