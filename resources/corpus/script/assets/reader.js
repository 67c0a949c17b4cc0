// Renders the reader: first the shelf, then, as if it had come over a slow line, the story.
(function () {
  "use strict";
  var data = window.MERIDIAN;

  function make(tag, className, text) {
    var node = document.createElement(tag);
    if (className) node.className = className;
    if (text) node.textContent = text;
    return node;
  }

  function picture(src, className) {
    var img = make("img", className);
    img.src = src;
    img.alt = "";
    return img;
  }

  function shelf() {
    var aside = make("div", "shelf");
    var logo = make("div", "logo");
    logo.append(picture("img/meridian.svg"), "Meridian");
    aside.append(logo, make("h2", "", "On your shelf"));
    data.shelf.forEach(function (book) {
      var button = make("button", book.open ? "open" : "");
      var label = make("span", "", book.title);
      label.append(make("small", "", book.author));
      button.append(picture(book.cover), label);
      aside.append(button);
    });
    aside.append(make("h2", "", "Lists"));
    data.lists.forEach(function (name) {
      aside.append(make("button", "", name));
    });
    return aside;
  }

  function story() {
    var main = make("div", "reading");
    var bar = make("div", "toolbar");
    bar.append(make("span", "", "Stories with weather"), make("b", "", "9 minutes"), make("span", "", "Aa   Bookmark"));
    var chapter = make("div", "chapter");
    chapter.append(make("h1", "", data.story.title), make("div", "author", "by " + data.story.author), picture(data.story.plate, "plate"));
    data.story.paragraphs.forEach(function (text, i) {
      chapter.append(text === "***" ? make("p", "stars", "\u2217\u2217\u2217") : make("p", i ? "" : "first", text));
    });
    var next = make("div", "next");
    ["Back to the shelf", "Next story: A Ferry for One"].forEach(function (text) {
      var link = make("a", "", text);
      link.href = "#";
      next.append(link);
    });
    main.append(bar, chapter, next);
    return main;
  }

  function margin() {
    var aside = make("div", "margin");
    aside.append(make("h2", "", "In the margin"));
    data.notes.forEach(function (note) {
      var box = make("div", "note");
      box.append(make("b", "", note.by), note.text);
      aside.append(box);
    });
    aside.append(make("h2", "", "Your reading"));
    var bar = make("div", "bar");
    var part = make("i");
    part.style.width = "62%";
    bar.append(part);
    aside.append(bar, make("div", "", "62 of 100 stories this year"));
    return aside;
  }

  setTimeout(function () {
    var app = make("div", "app");
    app.append(shelf());
    document.getElementById("root").append(app);
    setTimeout(function () {
      app.append(story());
      setTimeout(function () {
        var foot = make("div", "foot");
        foot.append(make("span", "", "Meridian Reader. One story at a time."), make("span", "", "Help   Privacy   Imprint"));
        app.append(margin(), foot);
        document.title = data.story.title + " | Meridian Reader";
      }, 60);
    }, 80);
  }, 60);
})();
