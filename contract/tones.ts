/** The colours that tell kinds and states apart; `primary` is the product's own. */
export type Tone = 'green' | 'amber' | 'red' | 'blue' | 'purple' | 'primary' | 'grey'
