/** A match in a text, as offsets from and to (exclusive). */
export type Endpoint = { readonly from: number; readonly to: number };

type Node = {
  readonly next: Map<number, Node>;
  /** Failure link: the node to continue from when no next character matches. */
  fallback: Node | undefined;
  /** Length of the longest word that ends here; 0 if none. */
  word: number;
  readonly depth: number;
};

const newNode = (depth: number): Node => ({ next: new Map(), fallback: undefined, word: 0, depth });

function buildTree(words: readonly string[]): Node {
  const root = newNode(0);
  for (const word of words) {
    let node = root;
    for (let index = 0; index < word.length; index++) {
      const code = word.charCodeAt(index);
      let next = node.next.get(code);
      if (!next) node.next.set(code, (next = newNode(node.depth + 1)));
      node = next;
    }
    node.word = word.length;
  }
  return root;
}

/** The node from which the search continues if `node` has no transition for `code`. */
function step(root: Node, node: Node, code: number): Node {
  let at: Node | undefined = node;
  while (at) {
    const next = at.next.get(code);
    if (next) return next;
    at = at.fallback;
  }
  return root;
}

function linkFallbacks(root: Node): void {
  const queue: Node[] = [root];
  for (const node of queue) {
    for (const [code, child] of node.next) {
      child.fallback = node === root ? root : step(root, node.fallback ?? root, code);
      if (child.word === 0) child.word = child.fallback.word;
      queue.push(child);
    }
  }
}

export type PatternMatcher = ReturnType<typeof createPatternMatcher>;
export type WordScan = ReturnType<PatternMatcher["scan"]>;

/**
 * Finds any of many words in one pass over a text (Aho-Corasick automaton): the time depends on the text's length, not
 * on the number of words. Words and texts must have the same case.
 */
export function createPatternMatcher(words: readonly string[]) {
  const root = buildTree(words.filter((word) => word !== ""));
  linkFallbacks(root);
  return {
    /** A search over a text that arrives in chunks. */
    scan() {
      let node = root;
      return {
        /** The first match that ends in this chunk; `from` is negative for a match that began in an earlier chunk. */
        next(piece: string, start = 0): Endpoint | undefined {
          for (let index = start; index < piece.length; index++) {
            node = step(root, node, piece.charCodeAt(index));
            if (node.word === 0) continue;
            const place = { from: index + 1 - node.word, to: index + 1 };
            node = root;
            return place;
          }
          return undefined;
        },
        /** How many of the last characters may be the beginning of a word. */
        pending: (): number => node.depth,
      };
    },
    isEmpty: root.next.size === 0,
  };
}
