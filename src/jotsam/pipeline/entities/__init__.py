"""Named-entity recognition (NER) by rules, a gazetteer and a perceptron tagger."""
