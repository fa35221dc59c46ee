/** The colours of kinds and states. `primary` is the product's own. */
export type Tone = 'green' | 'amber' | 'red' | 'blue' | 'purple' | 'primary' | 'grey'
