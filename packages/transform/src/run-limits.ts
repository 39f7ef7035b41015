/** What a script may ask of a run; beyond, it is assumed not to end, or would fill the memory. */

/** The nesting depth of includes and bodies: deeper is recursion. */
export const deepestNesting = 64;

/** The steps of a run: sequences that include another twice, again and again, have no end. */
export const mostSteps = 2 ** 20;

/** The items that a script value is bound to: merged with itself, a handle doubles. */
export const mostItems = 2 ** 20;
