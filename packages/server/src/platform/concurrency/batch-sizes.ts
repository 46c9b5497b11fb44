/** Observes the sizes of batches, for `/metrics`. */
export interface BatchSizes {
  /** Returns an observer of the batches with this name: few names, such as a table. */
  observerOf(batch: string): (size: number) => void;
}
