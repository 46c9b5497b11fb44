/** Time in milliseconds that an element must be fully visible, or hidden, before its state changes. */
const LASTING_MS = 500;
/** The shortest delay that browsers allow for this observation. */
export const DELAY_MS = 100;

type TrackingInit = IntersectionObserverInit & { trackVisibility: boolean; delay: number };
type TrackedEntry = IntersectionObserverEntry & { readonly isVisible?: boolean };

/**
 * `new`: visible since it appeared, for less than half a second. `changing`: hidden or visible again for less than
 * that, as during scrolling.
 */
export type Sight = 'seen' | 'new' | 'changing' | 'hidden';

/**
 * Reports whether an element has been fully visible for half a second: not covered, not transparent, not moved under
 * the pointer (Intersection Observer v2). Browsers without it rely on the policy of who may frame the form.
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
