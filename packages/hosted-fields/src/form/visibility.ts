/** How long something must have been in plain sight before a press on it counts, or out of it before that is told, in milliseconds. */
const LASTING_MS = 500;
/** The shortest that browsers allow for this kind of observation. */
export const DELAY_MS = 100;

type TrackingInit = IntersectionObserverInit & { trackVisibility: boolean; delay: number };
type TrackedEntry = IntersectionObserverEntry & { readonly isVisible?: boolean };

/**
 * `new`: nothing has hidden it since it is there, which is not yet for half a second. `changing`: it was hidden, or is
 * in sight again, for less than that, as while somebody scrolls.
 */
export type Sight = 'seen' | 'new' | 'changing' | 'hidden';

/**
 * Tells whether the element has been in plain sight for half a second: nothing over it, not transparent, not moved
 * under the pointer (Intersection Observer v2). A browser without it relies on the policy of who may frame the form.
 */
export function watchVisibility(target: Element): () => Sight {
  let is_seen = false;
  let since = performance.now();
  let tracks = true;
  let is_new = true;
  const init: TrackingInit = { threshold: 1, trackVisibility: true, delay: DELAY_MS };
  const observer = new IntersectionObserver((entries: TrackedEntry[]) => {
    const latest = entries.at(-1);
    tracks = latest?.isVisible !== undefined;
    is_new &&= latest?.isVisible === true;
    if (is_seen !== (latest?.isVisible === true)) since = performance.now();
    is_seen = latest?.isVisible === true;
  }, init);
  observer.observe(target);
  return () => {
    const lasts = performance.now() - since >= LASTING_MS;
    if (!tracks || (is_seen && lasts)) return 'seen';
    if (is_new) return 'new';
    return lasts ? 'hidden' : 'changing';
  };
}
