/** Time that an element must be fully visible, or hidden, before its state changes. In milliseconds. */
const STABLE_MS = 500;
/** Shortest delay that browsers allow for an observation of visibility, in milliseconds. */
export const DELAY_MS = 100;

type TrackingInit = IntersectionObserverInit & { trackVisibility: boolean; delay: number };
type TrackedEntry = IntersectionObserverEntry & { readonly isVisible?: boolean };

/**
 * `new`: visible since the element appeared, for less than `STABLE_MS`; for a touch also out of the window, or back in it
 * for less. `changing`: hidden or visible again for less than `STABLE_MS`, as during scrolling.
 */
export type Visibility = 'seen' | 'new' | 'changing' | 'hidden';

/**
 * Returns a function that reports whether an element has been fully visible for `STABLE_MS`: not covered, not
 * transparent, and not moved under the pointer.
 * Uses Intersection Observer v2. Browsers without it rely on the policy that limits which pages may frame the form.
 */
export function watchVisibility(target: Element): (isTouch: boolean) => Visibility {
  let is_seen = false;
  let since = performance.now();
  let tracks = true;
  // Part in the window when last hidden: 1 if something covered the element. Below 0 while it is new.
  let hidden_ratio = -1;
  const init: TrackingInit = { threshold: 1, trackVisibility: true, delay: DELAY_MS };
  const observer = new IntersectionObserver((entries: TrackedEntry[]) => {
    // Browsers report at least one entry.
    const { isVisible, intersectionRatio } = entries.at(-1) as TrackedEntry;
    tracks = isVisible !== undefined;
    if (is_seen !== !!isVisible) since = performance.now();
    is_seen = !!isVisible;
    if (!is_seen) hidden_ratio = intersectionRatio;
  }, init);
  observer.observe(target);
  return (isTouch) => {
    const lasts = performance.now() - since >= STABLE_MS;
    if (!tracks || (is_seen && lasts)) return 'seen';
    if (hidden_ratio < Number(isTouch)) return 'new';
    return lasts ? 'hidden' : 'changing';
  };
}
