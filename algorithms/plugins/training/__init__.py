"""What models are trained with: pages with gold, linear scores, trees and nets."""
