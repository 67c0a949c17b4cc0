// The shelf of Meridian Reader: what a server would send.
window.MERIDIAN = {
  shelf: [
    { id: "lamplighter", title: "The Lamplighter\u2019s Apprentice", author: "Odile Marchbank", cover: "img/cover-lamp.svg", open: true },
    { id: "ferry", title: "A Ferry for One", author: "Tomas Ravn", cover: "img/cover-ferry.svg" },
    { id: "bees", title: "Eleven Letters about Bees", author: "P. Okonjo-Hale", cover: "img/cover-bees.svg" },
    { id: "atlas", title: "The Atlas Mender", author: "Wilhelmina Frost", cover: "img/cover-atlas.svg" },
  ],
  lists: ["Short, before sleep", "Stories with weather", "Read aloud", "Half finished"],
  story: {
    title: "The Lamplighter\u2019s Apprentice",
    author: "Odile Marchbank",
    plate: "img/street.svg",
    paragraphs: [
      "In the year the electric company bought our street, there were sixty-two lamps between the canal and the church, and I knew the temper of every one of them. Number nine hissed. Number thirty had to be spoken to. Number forty-four, outside the piano teacher\u2019s, went out whenever she played in a minor key, and although Mr Quill said this was nonsense, I noticed that he always waited for the end of the piece before he lit it.",
      "Mr Quill was the lamplighter. He was seventy and walked as though the pavement had been laid for him personally. I was eleven and carried the ladder. We had an agreement with my mother: one penny an evening, home by eight, and no climbing above the fourth rung until my birthday.",
      "\u201cA lamp is not a thing you switch on,\u201d he told me on the first night. \u201cIt is somebody you wake up. You would not like it either if a stranger came in with a pole and turned a key in your neck.\u201d So we knocked. Two taps on the post, a pause, then the tap of the gas, then the flame. I still do it. My own children think it is a kind of prayer.",
      "***",
      "The letter came in October. It had a blue heading with a lightning bolt, and it was very polite. It said that the lamps would be converted during the week before Christmas, that the lighting would thereafter be carried out from a central point, and that the company wished to express its appreciation. It did not say of what.",
      "Mr Quill read it twice by the light of number twelve, folded it along the folds it had come with and put it in his hat. Then he asked me to hand him the pole. We did the whole round that night without a word, and when we came to forty-four and the piano teacher was in the middle of something slow, he sat down on the kerb to wait, and so did I.",
      "\u201cFrom a central point,\u201d he said at last. \u201cDo you suppose they will know that thirty needs talking to?\u201d",
      "I said that perhaps somebody could tell them.",
      "He looked at me for so long that the music had time to stop. Then he got up, lit the lamp, and for the first time let me carry the pole.",
      "***",
      "What we made that autumn was a book. It was my idea and his knowledge and my mother\u2019s spare ledger. Every evening we did one lamp properly. He talked, I wrote. Number one: leans towards the canal, likes a dry wick, has been hit by a baker\u2019s cart and bears no grudge. Number two: sister of number one. Number seventeen: shows who is coming home late; has never told. By December we had sixty-two pages, and under each number, in a smaller hand, there was a line that said how to wake it.",
      "On the last night half the street came out. Nobody had asked them to. They stood on their steps with their coats over their nightclothes and watched an old man and a boy go from post to post, and at each post the old man knocked twice, and at each post, after a while, everybody knocked with him, on a door, on a railing, on a pram. I have heard large orchestras since then. None of them was together in that way.",
      "When we reached the church he gave me the key on its ring. \u201cNot for opening anything,\u201d he said. \u201cFor weight.\u201d",
      "***",
      "I took the book to the electric company on the second of January. I had put on a tie. A man with ink on his cuff turned the pages, first quickly, then slowly, then from the beginning again. He asked who had compiled the survey. I said that it was not a survey, it was an introduction.",
      "He kept it for a month. When it came back there was a slip in it to say that the information had been noted. And it had. The new lamps came on each evening at the same minute, all together, without a sound, like a row of people opening their eyes. All but one. Outside the piano teacher\u2019s, number forty-four had been put on a switch of its own, and it was always a little late. It waited, we found, for the end of the piece.",
    ],
  },
  notes: [
    { by: "Ingrid", text: "Our street had a number thirty as well. It was a dog." },
    { by: "Reading circle, Tuesday", text: "Who decided about the switch? We think the man with ink on his cuff plays the piano." },
    { by: "J. P.", text: "Knock twice. I did it tonight and felt foolish for the first nine lamps only." },
  ],
};
