// A game to show what a study is, for those who have none yet: played by two of this program's own levels, 8 and 9.
export const SAMPLE = {
  moves: 'f5d6c6f4f3b6c7f6e6d8c3g3h3c5c4e3g6b4a5a3b3d2a4a6e2g5d3f7h6g4h5h4c1a2b5g7h8h7d7e8b7e7b8c8a8c2b1g2f1g1h1h2g8f8b2a1a7d1f2e1',
  /** How it looks before the move that cost most, the 41st. */
  board: '--X-----O--XX---OOXXXXXXOXXOOOOOOOXXXXOOOOOXXXOO--OO-OOO---OO--X',
} as const
